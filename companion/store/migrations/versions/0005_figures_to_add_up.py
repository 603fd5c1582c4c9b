"""Figures of results in the form that PostgreSQL adds up twice as fast; SQLite has one form."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _form(JSONB(none_as_null=True), "details::jsonb")


def downgrade() -> None:
    _form(sa.JSON(none_as_null=True), "details::json")


def _form(form: sa.JSON, made_by: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("results", "details", type_=form, postgresql_using=made_by)
