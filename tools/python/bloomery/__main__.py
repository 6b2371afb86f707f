"""python -m bloomery: the everyday verbs of the bloomery command, for machines that have only the package.

The words, units, output and exit statuses are those of the command (docs/command.md). It has fewer verbs and options, and
Python reads the lines, so it is several times slower.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from typing import Any, Optional, Sequence

import bloomery
from bloomery import Filter, _core, _numbers as numbers
from bloomery._records import KeyOptions, batches, key_arguments, write_records

SOME, NONE, ERROR, OVERFILLED = 0, 1, 2, 3


def warn(sentence: str) -> None:
    print(f"bloomery: {sentence}", file=sys.stderr)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run a verb and return its exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        raise
    except OSError as error:
        named = error.filename if error.filename is not None else ""
        where = os.fsdecode(named) if isinstance(named, (str, bytes)) else ""
        said = error.strerror or str(error)
        warn(said if not where or where in said else f"{where}: {said}")
    except (bloomery.Error, ValueError, TypeError) as error:
        warn(str(error))
    return ERROR


# Filters


def read(options: argparse.Namespace, path: str) -> Filter:
    """A filter that is only queried: mapped if it can be."""
    encoding = KeyOptions(options).encoding
    if path == "-":
        return Filter.from_bytes(sys.stdin.buffer.read(), options.format, encoding=encoding)
    if options.format not in (None, "native") or not _is_native(path):
        return Filter.load(path, format=options.format, encoding=encoding)
    return Filter.open(path, encoding=encoding)


def _is_native(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x89BLM"


def make(options: argparse.Namespace, n: Optional[int]) -> Filter:
    encoding = KeyOptions(options).encoding
    sizes = dict(nbytes=options.bytes, bits=options.bits, hashes=options.hashes, layout=options.layout)
    if options.kind is None:
        return Filter(n, options.rate, seed=options.seed, format=options.format, encoding=encoding, **sizes)
    if options.format is not None or any(value is not None for value in sizes.values()):
        raise bloomery.ArgumentError("--kind needs -n, and takes no other size than -n and -p")
    made: Filter = Filter._make(options.kind, n, options.rate or 0.01, seed=options.seed, encoding=encoding)
    return made


def save(f: Filter, path: str, options: argparse.Namespace, format: Optional[str] = None) -> None:
    comment = getattr(options, "comment", None)
    if path != "-":
        f.save(path, format=format, comment=comment, overwrite=options.force)
    elif sys.stdout.isatty():
        raise bloomery.ArgumentError("a filter is not written to a terminal: name a file")
    else:
        sys.stdout.buffer.write(f.to_bytes(format, comment=comment))


def judge(f: Filter, path: str, strict: bool) -> int:
    """Say so if a filter holds more keys than it was made for."""
    now, capacity = f.stats(), f.capacity
    if not capacity or now["intersected"]:
        return SOME
    if not now["saturated"] and now["items"] <= capacity + 3 * now["standard_error"]:
        return SOME
    holds = "more keys than can be counted" if now["saturated"] else f"about {numbers.counted(round(now['items']), 'key')}"
    warn(f"{path} holds {holds}, and was made for {capacity:,}: its false-positive rate is now "
         f"{numbers.show_rate(now['expected_rate'])}")
    return OVERFILLED if strict else SOME


# Verbs


def plan(options: argparse.Namespace) -> int:
    made = bloomery.plan(options.keys_count or (None if options.bytes or options.bits else 1), options.rate,
                         nbytes=options.bytes, bits=options.bits, hashes=options.hashes, layout=options.layout)
    if options.json:
        print(json.dumps({"n": made.n, "p": made.p, "layout": made.layout, "bits": made.bits, "hashes": made.hashes,
                          "bytes": made.nbytes, "bits_per_key": made.bits_per_key, "expected_rate": made.fpp,
                          "item_capacity": made.capacity, "meets_rate": made.meets_rate}, indent=2))
        return SOME
    print(f"layout    {made.layout}, {made.bits:,} bits ({numbers.show_bytes(made.nbytes)}), "
          f"{numbers.counted(made.hashes, 'hash')} per key")
    print(f"keys      {made.n:,}, {made.bits_per_key:.2f} bits each; at most {made.capacity:,} at the rate")
    print(f"rate      {numbers.show_rate(made.fpp)} ({numbers.show_one_in(made.fpp)})")
    return SOME


def create(options: argparse.Namespace) -> int:
    if not options.force and options.filter != "-" and os.path.lexists(options.filter):
        raise FileExistsError(17, f"{options.filter} already exists")
    n = options.keys_count
    if n is None and options.bytes is None and options.bits is None and options.format is None:
        if not options.files or "-" in options.files:
            raise bloomery.ArgumentError("give -n, the number of keys: only files can be counted first")
        n = max(1, sum(len(records) for records, _ in batches(options.files, KeyOptions(options))))
    made = make(options, n)
    if options.files:
        for _, keys in batches(options.files, KeyOptions(options)):
            made.update(keys)
    save(made, options.filter, options, options.format)
    return judge(made, options.filter, options.strict)


def add(options: argparse.Namespace) -> int:
    reading = KeyOptions(options)
    if options.keys_count is not None and not os.path.exists(options.filter):
        Filter(options.keys_count, options.rate).save(options.filter, overwrite=False)
    format = options.format
    if format in (None, "native") and _is_native(options.filter):
        try:
            f = Filter.open(options.filter, "r+", encoding=reading.encoding)
            format = "mapped"
        except bloomery.UnsupportedError:  # another kind, or another system's hash: replaced as a whole
            f = Filter.load(options.filter, encoding=reading.encoding)
    else:
        f = Filter.load(options.filter, format=format, encoding=reading.encoding)
        if format is None:
            with open(options.filter, "rb") as file:
                format = bloomery.detect(file.read())
    read_count = new = 0
    with f:
        for records, keys in batches(options.files, reading):
            read_count += len(records)
            new += sum(f._add_many(keys, False, 1))
        if format == "mapped":
            f.sync()
        else:
            f.save(options.filter, format=format)
        if options.verbose:
            warn(f"read {numbers.counted(read_count, 'key')}, {new:,} of them definitely new to {options.filter}")
        return judge(f, options.filter, options.strict)


def test(options: argparse.Namespace) -> int:
    reading = KeyOptions(options)
    records = [os.fsencode(key) for key in options.keys]
    with read(options, options.filter) as f:
        answers = [bool(maybe) for maybe in f._contains_many([reading.key(each) for each in records], False, 1)]
    for record, maybe in zip(records, answers):
        if options.json:
            print(json.dumps({"key": record.decode(errors="replace"), "maybe": maybe}, ensure_ascii=False))
        elif not options.quiet:
            write_records([b"maybe  " + record if maybe else b"no     " + record], b"\n")
    return SOME if any(answers) else NONE


def grep(options: argparse.Namespace) -> int:
    reading = KeyOptions(options)
    matches = line = 0
    with read(options, options.filter) as f:
        for records, keys in batches(options.files, reading):
            chosen = [i for i, maybe in enumerate(f._contains_many(keys, False, 1)) if bool(maybe) != options.invert]
            matches += len(chosen)
            if options.quiet and matches:
                break
            if not options.quiet and not options.count:
                number = options.line_number
                write_records([b"%d:%s" % (line + i + 1, records[i]) if number else records[i] for i in chosen], reading.end)
            line += len(records)
    if options.count and not options.quiet:
        print(matches)
    return SOME if matches else NONE


def uniq(options: argparse.Namespace) -> int:
    reading = KeyOptions(options)
    seen = bloomery.Scalable(options.keys_count or 1_000_000, options.rate or 1e-6)
    for records, keys in batches(options.files, reading):
        fresh = seen._add_many(keys, False, 1)
        write_records([record for record, new in zip(records, fresh) if bool(new) != options.invert], reading.end)
    return SOME


def info(options: argparse.Namespace) -> int:
    status = SOME
    for i, path in enumerate(options.filters):
        try:
            with read(options, path) as f:
                text = json.dumps({"file": path, **f.info()}, ensure_ascii=False) if options.json else describe(f)
        except (bloomery.Error, OSError) as error:
            warn(f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error))
            status = ERROR
            continue
        if len(options.filters) > 1 and not options.json:
            text = ("\n" if i else "") + f"file      {json.dumps(path, ensure_ascii=False)}\n{text}"
        print(text)
    return status


def describe(f: Filter) -> str:
    about, now = f._info(), f.stats()
    unit = "bits" if about["kind"] == "bloom" else "places"
    lines = [f"kind      {about['kind']}, " + (f"{about['layout']} layout, " if unit == "bits" else "")
             + f"{about['bit_count']:,} {unit} ({numbers.show_bytes(about['byte_count'])}), "
             + f"{numbers.counted(about['hash_count'], 'hash')} per key"]
    if about["scheme"] != "native":
        lines.append(f"scheme    {about['scheme']}")
    lines.append(f"hash      {about['hash']}, seed {about['seed']}")
    if about["item_capacity"]:
        at = f" at a rate of {numbers.show_rate(about['target_rate'])}" if about["target_rate"] else ""
        lines.append(f"made for  {numbers.counted(about['item_capacity'], 'key')}{at}")
    keys = numbers.counted(int(now["items"] + 0.5), "key")
    if now["saturated"]:
        lines.append("holds     too many to count: every bit is set")
    elif now["intersected"]:
        lines.append(f"holds     at most about {keys}: after an intersection the bits no longer show how many")
    else:
        lines.append(f"holds     about {keys} (standard error {now['standard_error']:.0f})")
    lines.append(f"fill      {100 * now['fill_ratio']:.2f} % of the {unit} are {'set' if unit == 'bits' else 'in use'}")
    rate = now["expected_rate"]
    lines.append(f"rate now  {numbers.show_rate(rate)} ({numbers.show_one_in(rate)})")
    return "\n".join(lines)


def merge(options: argparse.Namespace) -> int:
    first, *others = (Filter.load(path, format=options.format) for path in options.filters)
    for path, other in zip(options.filters[1:], others):
        try:
            first |= other
        except bloomery.IncompatibleError as error:
            raise bloomery.IncompatibleError(f"{options.filters[0]} and {path} cannot be combined: {error}") from None
    format = options.format
    if format is None and not _is_native(options.filters[0]):
        with open(options.filters[0], "rb") as file:
            format = bloomery.detect(file.read())
    save(first, options.output, options, format)
    return judge(first, options.output, options.strict)


def convert(options: argparse.Namespace) -> int:
    with read(options, options.filter) as f:
        save(f, options.output, options, options.to)
    return SOME


# Options


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bloomery", description="The everyday verbs of the bloomery command, over the Python package.",
        epilog="The bloomery command has more verbs and options, and is faster: see docs/command.md.")
    made.add_argument("--version", action="version", version=f"bloomery {_core.version} (Python package)")
    verbs = made.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name: str, run: Any, what: str) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, help=what, description=what, allow_abbrev=False)
        added.set_defaults(run=run, format=None, key=None)
        return added

    def sizes(of: argparse.ArgumentParser, n: str = "-n") -> None:
        of.add_argument(n, "--items", dest="keys_count", type=number(numbers.count), metavar="N", help="number of distinct keys")
        of.add_argument("-p", "--rate", type=number(numbers.rate), metavar="P", help="false-positive rate (default: 1%%)")

    def shape(of: argparse.ArgumentParser) -> None:
        sizes(of)
        of.add_argument("--bytes", type=number(numbers.size), metavar="SIZE", help="memory of the filter")
        of.add_argument("-m", "--bits", type=number(numbers.count), metavar="BITS", help="number of bits")
        of.add_argument("-k", "--hashes", type=number(numbers.count), metavar="K", help="number of hashes per key")
        of.add_argument("--layout", help="classic, blocked, split-8x32, split-8x64 or split-16x32")

    def filter_of(of: argparse.ArgumentParser) -> None:
        of.add_argument("filter", metavar="FILTER")
        of.add_argument("--format", help="the format of another system's filter, if its bytes do not tell")

    each = verb("plan", plan, "Compute the size of a filter")
    shape(each)
    each.add_argument("--json", action="store_true")

    each = verb("create", create, "Make a filter, empty or with keys")
    shape(each)
    filter_of(each)
    key_arguments(each)
    each.add_argument("--kind", help="another kind of filter, such as counting")
    each.add_argument("--seed", type=int, default=0)
    each.add_argument("--comment")
    each.add_argument("--force", action="store_true", help="replace an existing file")
    each.add_argument("--strict", action="store_true", help="exit with 3 if the filter ends up overfilled")

    each = verb("add", add, "Add keys to a filter")
    sizes(each)
    filter_of(each)
    key_arguments(each)
    each.add_argument("-v", "--verbose", action="store_true", help="report how many keys were new")
    each.add_argument("--strict", action="store_true", help="exit with 3 if the filter ends up overfilled")

    each = verb("test", test, "Check whether single keys are in a filter")
    filter_of(each)
    each.add_argument("keys", nargs="+", metavar="KEY")
    key_arguments(each, files=False)
    each.add_argument("-q", "--quiet", action="store_true", help="print nothing; the exit status is the answer")
    each.add_argument("--json", action="store_true")

    each = verb("grep", grep, "Print the lines whose key may be in a filter")
    filter_of(each)
    key_arguments(each)
    each.add_argument("-v", "--invert", action="store_true", help="print the lines whose key is definitely not in it")
    each.add_argument("-c", "--count", action="store_true", help="print only the number of lines")
    each.add_argument("-n", "--line-number", action="store_true")
    each.add_argument("-q", "--quiet", action="store_true", help="print nothing; the exit status is the answer")

    each = verb("uniq", uniq, "Print each line once, in order, without sorting")
    sizes(each)
    key_arguments(each)
    each.add_argument("-v", "--invert", action="store_true", help="print the lines that were maybe seen before")

    each = verb("info", info, "Describe filters and how full they are")
    each.add_argument("filters", nargs="+", metavar="FILTER")
    each.add_argument("--format")
    each.add_argument("--json", action="store_true")

    each = verb("merge", merge, "Combine several filters into one")
    each.add_argument("filters", nargs="+", metavar="FILTER")
    each.add_argument("--format")
    each.add_argument("-o", "--output", required=True, metavar="FILE")
    each.add_argument("--force", action="store_true")
    each.add_argument("--strict", action="store_true")

    each = verb("convert", convert, "Write a filter in the format of another system")
    each.add_argument("filter", metavar="FILTER")
    each.add_argument("output", metavar="FILE")
    each.add_argument("--format")
    each.add_argument("--to", default="native", help="the format to write")
    each.add_argument("--force", action="store_true")
    return made


def number(parse: Any) -> Any:
    """A parser of numbers for argparse, which only passes on the sentence of its own error."""

    def checked(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return checked


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as of other commands: end quietly if nobody reads
    sys.exit(main())
