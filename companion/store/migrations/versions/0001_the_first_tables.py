"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "games",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
        sa.Column("played_at", sa.DateTime(), nullable=False),
        sa.Column("deleted_at", sa.DateTime(), nullable=True),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_games_kind"), ["kind"], unique=False)
        batch_op.create_index(batch_op.f("ix_games_played_at"), ["played_at"], unique=False)

    op.create_table(
        "names",
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=200), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("device", "name_key", name=op.f("pk_names")),
    )
    op.create_table(
        "changes",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("part_sequence", sa.Integer(), nullable=False),
        sa.Column("based_on", sa.Integer(), nullable=False),
        sa.Column("change_id", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("sent", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("points", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_changes_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "sequence", name=op.f("pk_changes")),
        sa.UniqueConstraint("game_id", "change_id", name=op.f("uq_changes_game_id_change_id")),
        sa.UniqueConstraint(
            "game_id", "part", "part_sequence", name=op.f("uq_changes_game_id_part_part_sequence")
        ),
    )
    op.create_table(
        "devices",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("joined_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_devices_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "device", name=op.f("pk_devices")),
    )
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_devices_device"), ["device"], unique=False)

    op.create_table(
        "parts",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_parts_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "key", name=op.f("pk_parts")),
    )
    op.create_table(
        "photos",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_photos_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_photos")),
    )
    with op.batch_alter_table("photos", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_photos_game_id"), ["game_id"], unique=False)

    op.create_table(
        "readings",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("data", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_readings_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "id", name=op.f("pk_readings")),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=200), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_results_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "player", name=op.f("pk_results")),
    )
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_results_name_key"), ["name_key"], unique=False)

    op.create_table(
        "squares",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=32), nullable=False),
        sa.Column("source_photo", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_squares_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_squares")),
    )
    with op.batch_alter_table("squares", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_squares_game_id"), ["game_id"], unique=False)

    op.create_table(
        "collisions",
        sa.Column("game_id", sa.String(length=64), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("leaf", sa.String(length=80), nullable=False),
        sa.Column("part", sa.String(length=40), nullable=False),
        sa.Column("kept", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("other", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("settled_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id", "sequence"],
            ["changes.game_id", "changes.sequence"],
            name=op.f("fk_collisions_game_id_sequence"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game_id", "sequence", "leaf", name=op.f("pk_collisions")),
    )


def downgrade() -> None:

    op.drop_table("collisions")
    with op.batch_alter_table("squares", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_squares_game_id"))

    op.drop_table("squares")
    with op.batch_alter_table("results", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_results_name_key"))

    op.drop_table("results")
    op.drop_table("readings")
    with op.batch_alter_table("photos", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_photos_game_id"))

    op.drop_table("photos")
    op.drop_table("parts")
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_devices_device"))

    op.drop_table("devices")
    op.drop_table("changes")
    op.drop_table("names")
    with op.batch_alter_table("games", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_games_played_at"))
        batch_op.drop_index(batch_op.f("ix_games_kind"))

    op.drop_table("games")
