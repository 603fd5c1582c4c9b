"""Photos of open games, for all copies of the app."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "working_photos",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("taken_at", sa.DateTime(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["games.id"],
            name=op.f("fk_working_photos_game_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_working_photos")),
    )
    with op.batch_alter_table("working_photos", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_working_photos_device"), ["device"], unique=False)
        batch_op.create_index(batch_op.f("ix_working_photos_game_id"), ["game_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("working_photos", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_working_photos_game_id"))
        batch_op.drop_index(batch_op.f("ix_working_photos_device"))
    op.drop_table("working_photos")
