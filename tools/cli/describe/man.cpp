// bloomery(1): what the parser knows, and what no option can say.
#include <bloomery/version.hpp>

#include "command.hpp"
#include "describe/model.hpp"
#include "describe/roff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace bloomery::cli::describing {

namespace {

struct entry {
    std::string_view term;
    std::string_view text;
};

constexpr std::array introduction{
    "bloomery creates and queries Bloom filters. A Bloom filter represents a set of keys in a "
    "few bits per key, however long the keys are. For any key it answers \"definitely not\" or "
    "\"maybe\": a key that was added is always found; a key that was not added is reported as "
    "present at a rate chosen in advance, the false-positive rate.",
    "Each line is a key: bytes of any length, never trimmed or case-folded. The options under "
    "Keys select other records, or a single field of each record. The file name - means standard "
    "input, or standard output where a file is written.",
    "A filter is a single file that carries its own size, seed and checksums. add and uniq "
    "--state change it in place, and the keys they have added stay even if they are killed; "
    "merge, intersect, fold and create replace it when they have finished, and leave it unchanged "
    "if "
    "they fail.",
    "With --redis or --redis-cluster the filter is in Redis instead, where any number of "
    "programs on any number of machines can add to it and query it at the same time; FILTER is "
    "then its name.",
};

constexpr std::array numbers{
    entry{"1000000, 1_000_000, 10M, 1.5k, 1e9", "A count; k, M, G, T and P are powers of 1000."},
    entry{"64MiB, 8Ki, 10MB, 4096",
          "An amount of memory, in bytes if no unit is given; KiB, MiB and so on are powers of "
          "1024, kB, MB and so on powers of 1000."},
    entry{"1%, 0.01, 1e-6, 1in1000, 1/1000", "A rate between 0 and 1."},
};

constexpr std::array examples{
    entry{"bloomery create -n 1M -p 0.1% words.bloom\nbloomery add words.bloom < words.txt",
          "Create a filter for a million words with a false-positive rate of 1 in 1000, and fill "
          "it:"},
    entry{"tr -cs 'A-Za-z' '\\n' < essay.txt | bloomery grep -v words.bloom",
          "Print the words of an essay that are definitely not in it:"},
    entry{"bloomery uniq urls.txt > once.txt", "Remove repeated lines, without sorting:"},
    entry{"bloomery uniq --state seen.bloom -n 1M < today.log",
          "Print the lines that no earlier run has seen:"},
    entry{"bloomery grep -t , -f 3 words.bloom table.csv | sort",
          "Print the records of a table whose third field may be one of the words:"},
};

std::string value_of(const option& of) {
    if (of.value.find('|') == std::string::npos || of.choices.empty()) return italic(of.value);
    std::string result;
    for (const std::string& choice : of.choices) {
        result += (result.empty() ? "" : "|") + bold(choice);
    }
    return result;
}

std::string term_of(const option& of) {
    std::string names;
    for (const std::string& name : of.names) {
        names += (names.empty() ? "" : ", ") + bold(name);
    }
    return of.value.empty() ? names : names + " " + value_of(of);
}

/// `bloomery merge [OPTION]... -o FILE FILTER...`
std::string usage_of(const verb& of) {
    if (!of.inner.empty()) {
        return bold("bloomery " + of.name) + " " + italic("COMMAND") + " ...\n";
    }
    std::string line = bold("bloomery " + of.name) + " [" + italic("OPTION") + "]...";
    for (const option& each : of.options) {
        if (each.required) line += " " + bold(each.names.front()) + " " + value_of(each);
    }
    for (const argument& each : of.arguments) {
        const std::string name = italic(each.name) + (each.repeats ? "..." : "");
        line += each.required ? " " + name : " [" + name + "]";
    }
    return line + "\n";
}

/// Free sentences are filled; the line on the exit status and the example stand apart.
std::string footer_of(const verb& of) {
    constexpr std::string_view example_mark = "Example: ";
    std::istringstream lines(of.footer);
    std::string filled;
    std::string apart;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(example_mark)) {
            apart += example(std::string_view(line).substr(example_mark.size()));
        } else if (line.starts_with("Exit status:")) {
            apart += paragraph(line);
        } else {
            filled += line + " ";
        }
    }
    return (filled.empty() ? "" : paragraph(filled)) + apart;
}

/// The options but those in `known`, group by group in order of appearance, CLI11's own one first.
std::string man_options_of(const verb& of, const std::vector<std::string>& known) {
    std::vector<std::string> groups;
    for (const option& each : of.options) {
        if (std::find(groups.begin(), groups.end(), each.group) == groups.end()) {
            groups.push_back(each.group);
        }
    }
    std::string result;
    for (const std::string& group : groups) {
        if (group != groups.front()) result += ".PP\n" + prose(group) + ":\n";
        for (const option& each : of.options) {
            const bool said =
                std::find(known.begin(), known.end(), each.names.back()) != known.end();
            if (each.group == group && !said) result += item(term_of(each), each.text);
        }
    }
    return result;
}

std::string section_of(const verb& of, const std::vector<std::string>& known) {
    std::string result = ".SS " + of.name + "\n" + usage_of(of) + paragraph(of.text);
    for (const argument& each : of.arguments) {
        result += item(italic(each.name), each.text);
    }
    return result + man_options_of(of, known) + footer_of(of);
}

std::string exit_statuses() {
    const auto line = [](int status, const char* text) {
        return item(bold(std::to_string(status)), text);
    };
    return line(some, "Success; a search found something") + line(none, "A search found nothing") +
           line(trouble, "Failure: a wrong option, a file that cannot be read, a full disk. A "
                         "message on standard error says what happened") +
           line(overfilled, "Success, but the filter holds more keys than it was made for and "
                            "--strict was given");
}

std::string synopsis_of(const command& of) {
    std::string lines;
    for (const verb& each : with_inner(of.verbs)) {
        if (!each.inner.empty()) continue; // each of those has a line
        lines += (lines.empty() ? "" : ".br\n") + usage_of(each);
    }
    return lines;
}

/// A heading starts a paragraph by itself.
std::string section(std::string_view title, std::string_view body) {
    constexpr std::string_view start = ".PP\n";
    if (body.starts_with(start)) body.remove_prefix(start.size());
    return fmt::format(".SH {}\n{}", title, body);
}

/// One after the other what `text_of` makes of each.
std::string all(const auto& list, const auto& text_of) {
    std::string texts;
    for (const auto& each : list) {
        texts += text_of(each);
    }
    return texts;
}

} // namespace

std::string man_page(const command& of, std::string_view date) {
    const std::string& what = of.whole.text;
    const std::string name = prose(what.substr(0, what.find_last_not_of('.') + 1));
    const auto verb_text = [known = names_of(of.whole)](const verb& v) {
        return section_of(v, known);
    };
    const auto number_text = [](const entry& e) { return item(bold(e.term), std::string(e.text)); };
    const auto example_text = [](const entry& e) { return paragraph(e.text) + example(e.term); };
    return ".\\\" Written by \"bloomery describe man\"; do not edit.\n" +
           fmt::format(".TH BLOOMERY 1 {} \"bloomery {}\" \"User Commands\"\n", date, version) +
           section("NAME", "bloomery \\- " + name + "\n") + section("SYNOPSIS", synopsis_of(of)) +
           section("DESCRIPTION", all(introduction, paragraph)) +
           section("OPTIONS", man_options_of(of.whole, {})) +
           section("COMMANDS", all(with_inner(of.verbs), verb_text)) +
           section("NUMBERS", all(numbers, number_text)) + section("EXIT STATUS", exit_statuses()) +
           section("EXAMPLES", all(examples, example_text)) +
           section("SEE ALSO", ".BR grep (1),\n.BR sort (1),\n.BR uniq (1)\n");
}

} // namespace bloomery::cli::describing
