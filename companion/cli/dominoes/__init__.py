"""The subcommands of `dominoes`: each module adds its parser and the function that runs it."""
