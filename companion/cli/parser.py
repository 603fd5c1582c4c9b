"""A console command with subcommands, whose help and errors are in the chosen language."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
from argparse import SUPPRESS
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from companion.cli.terminal import (
    DOMAIN,
    Exit,
    WrongInput,
    WrongUse,
    carry_out,
    reason_of,
    show,
    warn,
)
from companion.languages import Language, preferred_language, say, translate

Run = Callable[[argparse.Namespace], int]
"""What carries a subcommand out and gives its exit code."""

ERRORS = (
    "argument {name}: {error}",
    "the following arguments are required: {names}",
    "unrecognized arguments: {names}",
    "expected one argument",
    "expected at least one argument",
    "expected at most one argument",
    "invalid choice: {value} (choose from {choices})",
    "invalid int value: {value}",
    "invalid seconds value: {value}",
    "ambiguous option: {option} could match {options}",
    "ignored explicit argument {value}",
    "not allowed with argument {name}",
    "one of the arguments {names} is required",
    "expected a number from {low} to {high}, got {number}",
    "expected a number from {low}, got {number}",
)
"""The messages of argparse and of the commands' own types for a wrong command line."""


class Parser(argparse.ArgumentParser):
    """An ``ArgumentParser`` that shows translations of its English texts.

    Descriptions, help and metavars are translated as they are added, or stay English without a
    translation. The option ``--help`` is added; options can't be abbreviated.
    """

    def __init__(
        self,
        *,
        language: Language,
        description: str = "",
        epilog: str = "",
        formatter_class: object = None,
        **settings: Any,
    ) -> None:
        self.language = language
        self.rest = ""
        """The argument that takes what stands after an option, too."""
        columns = max(40, min(100, shutil.get_terminal_size().columns)) - 2
        super().__init__(
            description=textwrap.fill(self._in_words(description), columns),
            epilog=epilog.replace("examples:", self._in_words("examples:")),
            formatter_class=self._formatter,
            add_help=False,
            allow_abbrev=False,
            **settings,
        )
        self._arguments = self.add_argument_group(self._in_words("arguments"))
        self._options = self.add_argument_group(self._in_words("options"))
        self.add_argument("-h", "--help", action="help", help="show this help and end")

    def _in_words(self, text: str) -> str:
        return translate(text, self.language, DOMAIN)

    def _formatter(self, prog: str) -> _HelpFormatter:
        return _HelpFormatter(prog, f"{self._in_words('usage')}: ")

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """Add an argument or option, its help in the parser's language."""
        group = self._options if names[0].startswith("-") else self._arguments
        return group.add_argument(*names, **self._translated(settings))

    def add_one_of(self, *options: tuple[str, dict[str, Any]]) -> None:
        """Add options, each with its settings, exactly one of which must be given."""
        group = self._options.add_mutually_exclusive_group(required=True)
        for name, settings in options:
            group.add_argument(name, **self._translated(settings))

    def add_group(self, title: str) -> Group:
        """A group of options of its own, below a title."""
        return Group(self, self.add_argument_group(self._in_words(title)))

    def _translated(self, settings: dict[str, Any]) -> dict[str, Any]:
        found = dict(settings)
        for key in ("help", "metavar"):
            if isinstance(found.get(key), str) and found[key] != argparse.SUPPRESS:
                found[key] = self._in_words(found[key])
        return found

    def add_commands(self) -> Commands:
        """Add subcommands, one of which is required."""
        commands = self.add_subparsers(
            action=Commands,
            title=self._in_words("commands"),
            metavar=self._in_words("COMMAND"),
            required=True,
        )
        assert isinstance(commands, Commands)
        commands.language = self.language
        commands.program = self.prog
        return commands

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The arguments and those left over; ``rest`` may stand before, between and after options.

        argparse takes all that may be there none of from one place only.
        """
        found, others = super().parse_known_args(args, namespace)
        if self.rest:
            more = [each for each in others if each == "-" or not each.startswith("-")]
            others = [each for each in others if each not in more]
            setattr(found, self.rest, [*getattr(found, self.rest), *more])
        return found, others

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The arguments; wrong ones end the program with the usage of the subcommand at hand."""
        found, others = self.parse_known_args(args, namespace)
        parser: Parser = getattr(found, "parser", self)
        if others:
            parser.error(f"unrecognized arguments: {' '.join(others)}")
        found.parser = parser
        return found

    def error(self, message: str) -> NoReturn:
        """Print what is wrong on the error stream and exit with code 2."""
        self.print_refusal(self._error_in_words(message))
        self.exit(Exit.WRONG_USE)

    def print_refusal(self, sentence: str) -> None:
        """Print the usage and what is wrong with it on the error stream."""
        if sys.stderr is not None:
            self.print_usage(sys.stderr)
        warn(f"{self.prog}: {sentence}")

    def _error_in_words(self, message: str) -> str:
        for text in ERRORS:
            found = _pattern(text).fullmatch(message)
            if found is not None:
                values = found.groupdict()
                if "error" in values:
                    values["error"] = self._error_in_words(values["error"])
                return str(self._in_words(text).format(**values))
        return message


class Group:
    """Options of a parser below a title of their own, in its language."""

    def __init__(self, parser: Parser, group: argparse._ArgumentGroup) -> None:
        self._parser = parser
        self._group = group

    def add_argument(self, *names: str, **settings: Any) -> argparse.Action:
        """Add an option, as ``Parser.add_argument``."""
        return self._group.add_argument(*names, **self._parser._translated(settings))


if TYPE_CHECKING:
    _SubParsersAction = argparse._SubParsersAction[Parser]
else:  # Generic for type checkers only.
    _SubParsersAction = argparse._SubParsersAction


class Commands(_SubParsersAction):
    """The subcommands of a parser, in its language."""

    language = Language.ENGLISH
    program = ""
    """The program that they belong to, as examples name it."""

    def add_parser(  # type: ignore[override]
        self,
        name: str,
        run: Run,
        *,
        help: str,
        description: str,
        examples: Sequence[str],
        files: Mapping[str, str] | None = None,
        aliases: Sequence[str] = (),
    ) -> Parser:
        """Add a subcommand that ``run`` carries out, its help in the language of the commands.

        ``files`` are those that its examples name, with what is in them.
        """
        parser: Parser = super().add_parser(
            name,
            help=translate(help, self.language, DOMAIN),
            description=description,
            epilog=_epilog(examples, files or {}),
            aliases=aliases,
            # Parser takes a language, which the declared signature doesn't know.
            language=self.language,
        )
        parser.set_defaults(parser=parser, run=run)
        return parser

    def add_setup(self, run: Run, *, description: str, examples: Sequence[str]) -> Parser:
        """Add `setup`, which every game has."""
        return self.add_parser(
            "setup",
            run,
            help="say how to set up and play a game",
            description=description,
            examples=examples,
        )


def _epilog(examples: Sequence[str], files: Mapping[str, str]) -> str:
    """Lines below "examples:", which the parser translates, and files below their names."""
    parts = [("examples", "\n".join(examples)), *files.items()]
    return "\n".join(f"{name}:\n{textwrap.indent(text, '  ')}\n" for name, text in parts)


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter that begins the usage with a translated word."""

    def __init__(self, prog: str, usage_prefix: str) -> None:
        super().__init__(prog)
        self._usage_prefix = usage_prefix

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        own = self._usage_prefix if prefix is None else prefix
        super().add_usage(usage, actions, groups, own)


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern that matches messages made from a text with {fields}."""
    parts = re.split(r"{(\w+)}", text)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if number % 2 else re.escape(part)
            for number, part in enumerate(parts)
        ),
        re.DOTALL,
    )


def language_asked_for(arguments: Sequence[str], environment: Mapping[str, str]) -> Language:
    """The language of ``--language`` if it is known, else that of the environment.

    It is needed before the command line is parsed, for errors in parsing. As for the parser, the
    last one given counts.
    """
    found = preferred_language(environment)
    for place, argument in enumerate(arguments):
        name, equals, code = argument.partition("=")
        if name == "--language":
            if not equals:
                code = next(iter(arguments[place + 1 :]), "")
            if code in Language:
                found = Language(code)
    return found


def add_language(parser: Parser, default: str | None) -> None:
    """Add the option ``--language``."""
    parser.add_argument(
        "--language",
        choices=[language.value for language in Language],
        default=default,
        help="language of the output (default: that of the environment)",
    )


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from companion.version import companion_version

        show(f"{parser.prog} {companion_version()}")
        parser.exit()


def add_version(parser: Parser) -> None:
    """Add the option ``--version``."""
    parser.add_argument(
        "--version", action=_Version, nargs=0, default=SUPPRESS, help="show the version and end"
    )


def number_between(low: int, high: int | None = None) -> Callable[[str], int]:
    """The type of an argument that is a number from ``low`` to ``high``."""

    def number(text: str) -> int:
        found = int(text)
        if found < low or (high is not None and found > high):
            bounds = f"from {low}" if high is None else f"from {low} to {high}"
            raise argparse.ArgumentTypeError(f"expected a number {bounds}, got {text}")
        return found

    number.__name__ = "int"  # The message for what is no number names the type.
    return number


@dataclass(frozen=True)
class Console:
    """The command ``program`` with its ``commands``: functions that each add a parser.

    Errors of ``rules_errors`` are wrong
    use; ``rules_message`` makes their sentence. Help texts are English and translated by the
    catalogue ``usage``.
    """

    program: str
    description: str
    examples: Sequence[str]
    commands: Sequence[Callable[[Commands], object]]
    rules_errors: tuple[type[Exception], ...]
    rules_message: Callable[[Any, Language], str]

    def build_parser(self, language: Language = Language.ENGLISH) -> Parser:
        """The parser of the whole command line, with help in that language."""
        parser = Parser(
            language=language,
            prog=self.program,
            description=self.description,
            epilog=_epilog(self.examples, {}),
        )
        add_version(parser)
        add_language(parser, default=None)
        commands = parser.add_commands()
        for add in self.commands:
            add(commands)
        for command in dict.fromkeys(commands.choices.values()):
            # It can be before or after the subcommand; the default is suppressed, so that the
            # second parser doesn't overwrite the first.
            add_language(command, default=SUPPRESS)
        return parser

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run one command line; returns the exit code that the help describes."""
        arguments = sys.argv[1:] if argv is None else list(argv)
        language = language_asked_for(arguments, os.environ)
        return carry_out(lambda: self._run(arguments, language), language)

    def _run(self, arguments: Sequence[str], language: Language) -> int:
        """Run the command; wrong use is reported on the error stream."""
        args = self.build_parser(language).parse_args(arguments)
        args.language = language
        try:
            code: int = args.run(args)
        except self.rules_errors as error:
            warn(self.rules_message(error, language))
        except WrongInput as error:
            warn(str(error))
        except WrongUse as error:
            args.parser.print_refusal(str(error))
        except OSError as error:
            if error.filename is None:  # The output, which is not a file that was named.
                raise
            reason = reason_of(error, language)
            warn(say("input.in_file", language, file=error.filename, reason=reason))
            return Exit.NOT_DONE
        else:
            return code
        return Exit.WRONG_USE
