#include "foreign_parts.hpp"

#include "../plan/text.hpp"

#include <algorithm>
#include <utility>

namespace bloomery::format {

void require_writable(const foreign_format& format, const any_filter& source) {
    require_writable(format);
    if (source.spec().shape.bit_count == 0) {
        storage::detail::refuse_moved_from();
    }
}

void require_writable(const foreign_format& format) {
    if (format.encode == nullptr) {
        throw unsupported("filters of the format " + std::string(format.name) +
                          " can be read but not written");
    }
}

std::string in_bytes(std::uint64_t count) { return plan::counted(count, "byte"); }

void refuse_size(const std::string& what, std::uint64_t byte_count, const limits& most) {
    throw memory_refused(what + " has " + plan::memory(static_cast<double>(byte_count)) +
                         ", more than the limit of " +
                         plan::memory(static_cast<double>(most.largest_filter_bytes)));
}

void check_limits(std::uint64_t hash_count, std::uint64_t byte_count, const limits& most) {
    if (hash_count > most.most_hashes) {
        throw memory_refused("the filter makes " + plan::counted(hash_count, "hash") +
                             " per key, more than the limit of " +
                             std::to_string(most.most_hashes));
    }
    if (byte_count > most.largest_filter_bytes) {
        refuse_size("the filter", byte_count, most);
    }
}

void check_unseen(std::uint64_t claimed, std::uint64_t carried, const limits& most) {
    if (claimed > most_claimed_bytes(carried, most.most_unseen_bytes)) {
        throw memory_refused("the filter has " + in_bytes(claimed) + " by what its file of " +
                             in_bytes(carried) + " says, and more than the limit of " +
                             in_bytes(most.most_unseen_bytes) +
                             " is not in the file; if you trust it, raise that limit (in the "
                             "command with --format NAME,limit=SIZE)");
    }
}

void require_left(std::uint64_t left, std::uint64_t expected, std::string_view what) {
    if (left == expected) {
        return;
    }
    const std::string promised = std::string(what) + " should be " + in_bytes(expected) +
                                 " by its own header, and is " + in_bytes(left);
    throw bad_data(
        (left < expected ? "the filter is truncated: " : "there is data after the filter: ") +
        promised + "; restore it from a copy");
}

any_filter filter_of(const spec& what, byte_view array, bit_order order, const limits& most,
                     design made_for) {
    check_limits(what.shape.hash_count, what.shape.byte_count(), most);
    if (!is_foreign(what)) {
        throw bad_data("the filter says that it has " + plan::counted(what.shape.bit_count, "bit") +
                       " and " + plan::counted(what.shape.hash_count, "hash") +
                       " per key, which no filter of this format has");
    }
    auto words = words_from(array, order, what.shape.byte_count() / 8);
    if (const std::uint64_t used = what.shape.bit_count % 64; used != 0) {
        if (words.data()[words.word_count() - 1] >> used != 0) {
            throw bad_data("the filter is damaged: a bit past its end is set; restore it from a "
                           "copy");
        }
    }
    return make_foreign(what, std::move(words), made_for);
}

any_filter empty_filter(const spec& what, design made_for) {
    if (!is_foreign(what)) {
        throw bad_argument("a filter of this format cannot have " +
                           plan::counted(what.shape.bit_count, "bit") + " with " +
                           plan::counted(what.shape.hash_count, "hash") + " per key");
    }
    return make_foreign(what, made_for);
}

void require_format(bool is_it, const foreign_format& format, const foreign_format& neighbour) {
    if (!is_it) {
        throw bad_data("this is not a file of the format " + std::string(format.name) +
                       " but one of " + std::string(neighbour.name) + "; name that one");
    }
}

void require_one_of(const spec& what, std::initializer_list<spec> known,
                    const foreign_format& format) {
    const bool fits = std::ranges::any_of(known, [&](const spec& one) {
        return one.kind == what.kind && one.scheme == what.scheme && one.hash == what.hash;
    });
    if (!fits) {
        throw incompatible(
            "a filter with other hashes cannot become one of the format " +
            std::string(format.name) +
            ": its bits are where its own hash put them, and the keys cannot be recovered from "
            "them; make a new filter of that format and add the keys again");
    }
}

} // namespace bloomery::format
