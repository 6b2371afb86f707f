"""Prints bloomery's types in gdb: what a filter is, how full it is and what it was made for.

    (gdb) source /usr/share/bloomery/bloomery-gdb.py
    (gdb) print seen
    $1 = filter: split-8x64, 16,384 bits, 8 hashes, 12.5 % full, made for 1,000 keys at 0.01

Where a filter has more than 64 MiB, its bits are not counted.
"""

import re

import gdb
import gdb.printing

MOST_BYTES = 64 << 20
LAYOUTS = {0: "classic", 1: "blocked", 2: "split-8x32", 3: "split-8x64", 4: "split-16x32"}
BLOCK_BITS = {0: 1, 1: 512, 2: 256, 3: 512, 4: 512}


def find(value, name, depth=3):
    """The member of that name, in the value or in its base classes; None if there is none."""
    for field in value.type.strip_typedefs().fields():
        if field.name == name and not field.is_base_class:
            return plain(value[field])
    if depth > 0:
        for field in value.type.strip_typedefs().fields():
            if field.is_base_class:
                found = find(value[field], name, depth - 1)
                if found is not None:
                    return found
    return None


def plain(value):
    """A zero_when_moved as the number in it, anything else as it is."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT and "zero_when_moved<" in str(kind):
        return value["value_"]
    return value


def path(value, *names):
    for name in names:
        if value is None:
            return None
        value = find(value, name)
    return value


def word_pointer():
    return gdb.lookup_type("unsigned long").pointer()


def first(*candidates):
    """The first that is there. (A structure of gdb's has no truth value.)"""
    return next((candidate for candidate in candidates if candidate is not None), None)


def words_of(storage):
    """Address and number of the words of heap_words, borrowed_words or a vector."""
    words = find(storage, "words_")
    if words is None:
        return None
    if words.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return int(words), int(find(storage, "count_"))
    return int(words["_M_ptr"]), int(words["_M_extent"]["_M_extent_value"])


def memory(address, count):
    """The words as one large number; None if they are too many or cannot be read."""
    if count * 8 > MOST_BYTES:
        return None
    try:
        return int.from_bytes(gdb.selected_inferior().read_memory(address, count * 8), "little") if count else 0
    except gdb.MemoryError:
        return None


def ones(number):
    return bin(number).count("1")


def share(part, whole):
    return f"{100 * part / whole:.4g} % full" if whole else "empty"


def goal(value):
    """What the filter was made for, if it says."""
    design = find(value, "design_")
    if design is None or int(design["item_capacity"]) == 0:
        return []
    return [f"made for {int(design['item_capacity']):,} keys at {float(design['target_rate']):.6g}"]


def shape_of(layout):
    """Name, bits and probes of a layout."""
    kind = str(layout.type.strip_typedefs())
    probes = find(layout, "hash_count_")
    chosen = find(layout, "layout_")
    if chosen is not None:  # at run time
        number = int(chosen)
        bits = int(find(layout, "blocks_")) * BLOCK_BITS.get(number, 1)
        return LAYOUTS.get(number, "?"), bits, int(probes)
    if "split_block" in kind:
        sizes = [int(n) for n in re.findall(r"\b(\d+)[ul]*\b", kind.split("split_block", 1)[1])]
        words, bits = next(((w, b) for w, b in ((8, 32), (8, 64), (16, 32)) if w in sizes and b in sizes), (8, 64))
        return f"split-{words}x{bits}", int(find(layout, "blocks_")) * words * bits, words
    if "blocked" in kind:
        return "blocked", int(find(layout, "blocks_")) * 512, int(probes)
    return "classic", int(find(layout, "bit_count_")), int(probes)


class Filter:
    """basic_filter: a set of bits."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        name, bits, probes = shape_of(find(self.value, "layout_"))
        parts = [name, f"{bits:,} bits", f"{probes} hashes"]
        place = words_of(find(self.value, "storage_"))
        number = memory(*place) if place else None
        if number is not None and bits:
            parts.append(share(ones(number), bits))
        return "filter: " + ", ".join(parts + goal(self.value))


class Kind:
    """The other kinds: their memory, counters in use where there are any, and what they were made for."""

    def __init__(self, value, name):
        self.value = value
        self.name = name

    def to_string(self):
        parts = []
        counters = first(path(self.value, "counters_", "counters_"), find(self.value, "counters_"))
        storage = first(find(self.value, "storage_"), path(counters, "storage_"))
        place = words_of(storage) if storage is not None else None
        if place:
            parts.append(f"{place[1] * 8:,} bytes")
        if counters is not None and find(counters, "in_word_") is not None:
            parts += self.counters(counters, place)
        probes = first(find(self.value, "hash_count_"), path(self.value, "counters_", "rule_", "hash_count_"))
        if probes is not None:
            parts.append(f"{int(probes)} hashes")
        layers = find(self.value, "layers_")
        if layers is not None:
            base = layers.type.strip_typedefs().fields()[0]
            if base.is_base_class and gdb.default_visualizer(layers) is None:
                layers = layers[base]  # a stack is a std::vector with more to it
            count = len(list(gdb.default_visualizer(layers).children()))
            parts.append(f"{count} layer" + ("s" if count != 1 else ""))
        return f"{self.name}: " + ", ".join(parts + goal(self.value))

    @staticmethod
    def counters(counters, place):
        count, width, in_word = (int(find(counters, n)) for n in ("count_", "bits_", "in_word_"))
        parts = [f"{count:,} counters of {width} bits"]
        number = memory(*place) if place else None
        if number is not None and place[1] <= 1 << 20:
            mask = (1 << width) - 1
            used = 0
            for word in range(place[1]):
                bits = (number >> (64 * word)) & ((1 << 64) - 1)
                while bits:
                    used += bits & mask != 0
                    bits >>= width
            parts.append(share(used, count))
        return parts


class Handle:
    """any_filter: the filter inside."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        owner = self.value["self_"]  # a std::unique_ptr, which is a pointer in memory
        pointer = owner.address.cast(owner.type.strip_typedefs().template_argument(0).pointer().pointer()).dereference()
        if int(pointer) == 0:
            return "any_filter: moved from"
        # The library has no debug information about the model around the filter, but its table of virtual
        # functions has a name, and the filter comes right behind the pointer to it.
        table = gdb.execute(f"info symbol {int(pointer.cast(word_pointer()).dereference())}", to_string=True)
        name = re.match(r"vtable for .*?filter_model(?:\[abi:\w+\])?<(.*)> \+ ", table)
        try:
            inside = gdb.lookup_type(name.group(1))
        except (AttributeError, gdb.error):
            return "any_filter: " + (name.group(1) if name else "of an unknown kind")
        align = max(8, inside.alignof)
        model = gdb.Value((int(pointer) + 8 + align - 1) // align * align).cast(inside.pointer()).dereference()
        visualizer = gdb.default_visualizer(model)
        return "any_filter: " + (visualizer.to_string() if visualizer else str(inside))


class Excepted:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        visualizer = gdb.default_visualizer(self.value["inner_"])
        return "excepted: " + (visualizer.to_string() if visualizer else str(self.value["inner_"].type))


class Bitmap:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        words = self.value["words_"]["_M_impl"]
        start = int(words["_M_start"])
        number = memory(start, (int(words["_M_finish"]) - start) // 8)
        bits = int(self.value["bit_count_"])
        return f"bitmap: {bits:,} bits" + ("" if number is None else f", {ones(number):,} set")


class Quantity:
    def __init__(self, value, unit):
        self.value = value
        self.unit = unit

    def to_string(self):
        number = self.value["value"]
        return f"{float(number):.6g} ({self.unit})" if self.unit == "rate" else f"{int(number):,} {self.unit}"


class Digest:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        parts = (find(self.value, name) for name in ("high", "low", "value"))
        return "0x" + "".join(f"{int(part):016x}" for part in parts if part is not None)


def printers():
    made = gdb.printing.RegexpCollectionPrettyPrinter("bloomery")
    space = "^bloomery::(v[0-9]+::)?"
    made.add_printer("basic_filter", space + "basic_filter<.*>$", Filter)
    for kind in ("counting", "dynamic_count", "dleft", "accurate", "scalable", "window"):
        made.add_printer(kind, f"{space}{kind}_filter$", lambda value, name=f"{kind}_filter": Kind(value, name))
    made.add_printer("spectral", space + "basic_spectral_filter<.*>$", lambda value: Kind(value, "spectral_filter"))
    made.add_printer("any_filter", space + "any_filter$", Handle)
    made.add_printer("excepted", space + "excepted<.*>$", Excepted)
    made.add_printer("bitmap", space + "bitmap$", Bitmap)
    for unit in ("items", "rate", "bytes", "bits", "hashes"):
        made.add_printer(unit, f"{space}{unit}$", lambda value, unit=unit: Quantity(value, unit))
    made.add_printer("digest", space + "digest(64|128)$", Digest)
    return made


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
