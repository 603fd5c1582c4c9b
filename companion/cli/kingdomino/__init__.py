"""The subcommands of `kingdomino`: each module adds its parser and the function that runs it."""
