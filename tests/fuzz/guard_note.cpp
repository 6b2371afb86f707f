// Any bytes as the note next to a guard's file: refused, or read as a note that is written back
// unchanged. The checksum would stop most inputs, so some get the right one.
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/hash/xxh3.hpp>

#include "../../src/guard/note.hpp"
#include "input.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace {

using namespace bloomery;
using fuzz::must;

std::string sealed(std::string text) {
    constexpr const char* digits = "0123456789abcdef";
    const std::uint64_t sum = hash::xxh3_64{}(bytes_of(text)).value;
    text.append("check ");
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += digits[(sum >> static_cast<unsigned>(shift)) & 15U];
    }
    return text.append("\n");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const bool seal = from.byte() % 2 == 1;
    std::string text = from.text(size);
    if (seal) {
        text = sealed(std::move(text));
    }
    if (const auto note = detail::decode_note(text)) {
        must(note->layers >= 1 && note->layers <= 64);
        const std::string again = detail::encode_note(*note);
        const auto same = detail::decode_note(again);
        // What was read may lie just below the longest note, and be longer when escaped.
        must(same ? *same == *note : again.size() > text.size());
    }
    return 0;
}
