// Text for the manual page in the man(7) macros, which mandoc and groff both read.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::cli::describing {

/// Text that is to be copied: each character stands for itself.
[[nodiscard]] std::string literal(std::string_view text);

[[nodiscard]] std::string bold(std::string_view text);
[[nodiscard]] std::string italic(std::string_view text);

/// Sentences, on one input line that the formatter fills; options in them become bold.
[[nodiscard]] std::string prose(const std::string& text);

/// The same as a line of its own, with a full stop.
[[nodiscard]] std::string sentence(const std::string& text);

[[nodiscard]] std::string paragraph(std::string_view text);

/// Lines that stay as they are.
[[nodiscard]] std::string example(std::string_view lines);

/// A term, already marked up, and what it means.
[[nodiscard]] std::string item(const std::string& term, const std::string& text);

} // namespace bloomery::cli::describing
