#include "bench/report.hpp"

#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "bench/filters.hpp"
#include "bench/floors.hpp"
#include "machine.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

std::vector<std::uint64_t> sizes_of(std::span<const bench_result> results) {
    std::vector<std::uint64_t> sizes;
    for (const bench_result& each : results) {
        if (std::ranges::find(sizes, each.item_count) == sizes.end()) {
            sizes.push_back(each.item_count);
        }
    }
    return sizes;
}

const bench_result* find(std::span<const bench_result> in, const bench_result& like,
                         std::uint64_t item_count) {
    const auto found = std::ranges::find_if(in, [&](const bench_result& each) {
        return each.operation == like.operation && each.subject == like.subject &&
               each.item_count == item_count;
    });
    return found == in.end() ? nullptr : &*found;
}

/// The first result of each row of the table.
std::vector<const bench_result*> rows_of(std::span<const bench_result> results) {
    std::vector<const bench_result*> rows;
    for (const bench_result& each : results) {
        const bool known = std::ranges::any_of(rows, [&](const bench_result* row) {
            return row->operation == each.operation && row->subject == each.subject;
        });
        if (!known) rows.push_back(&each);
    }
    return rows;
}

// The blanks are outside the widths: what is wider than its column must not run into the next.
constexpr std::string_view row_format = "{:<25} {:<18}";
constexpr std::string_view cell_format = " {:>19}";

std::string cell(double least, double median) {
    return fmt::format("{:.2f} ({:.2f})", least, median);
}

/// A row; `cell_of` gives the text for a result.
template <class CellOf>
std::string row(std::string_view operation, const bench_result& like,
                std::span<const bench_result> results, const CellOf& cell_of) {
    std::string line = fmt::format(row_format, operation, like.subject);
    for (const std::uint64_t size : sizes_of(results)) {
        const bench_result* const at = find(results, like, size);
        line += fmt::format(cell_format, at == nullptr ? "-" : cell_of(*at));
    }
    return line + '\n';
}

std::string heading(std::span<const bench_result> results) {
    std::string sizes = fmt::format(row_format, "ns per key: minimum (median)", "");
    std::string memory = fmt::format(row_format, "", "");
    for (const std::uint64_t size : sizes_of(results)) {
        sizes += fmt::format(cell_format, counted(size, "key"));
        const auto gather = std::ranges::find_if(results, [&](const bench_result& each) {
            return each.item_count == size && each.operation == gather_operation;
        });
        memory += fmt::format(cell_format, format_bytes(gather->byte_count));
    }
    return sizes + '\n' + memory + '\n';
}

bool has_kinds(std::span<const bench_result> results) {
    return std::ranges::any_of(
        results, [](const bench_result& each) { return each.operation == bulk_erase; });
}

/// What an operation of another kind is compared with: the same of split-8x64, whose insert stands
/// for an erase too.
std::string compared_with(const std::string& operation) {
    if (operation == bulk_erase) return bulk_insert;
    return operation == single_erase ? single_insert : operation;
}

std::string ratios_of_kinds(std::span<const bench_result> results) {
    std::string text = "\nrelative to split-8x64 in this run; erase: relative to insert\n";
    for (const bench_result* each : rows_of(results)) {
        bench_result like = *each;
        like.subject = plan::name_of(layout_kind::split_8x64);
        like.operation = compared_with(each->operation);
        if (find(results, like, each->item_count) == nullptr) continue;
        text += row(each->operation, *each, results, [&](const bench_result& at) {
            const bench_result* const base = find(results, like, at.item_count);
            return cell(at.least_ns / base->least_ns, at.median_ns / base->median_ns);
        });
    }
    return text;
}

} // namespace

bench_facts facts_here(std::size_t round_count) {
    return {look_at_machine().processor.value_or("unknown"), std::thread::hardware_concurrency(),
            std::string(compiler), std::string(kernel::name_of(kernel::active())), round_count};
}

std::string table_of(const bench_facts& facts, std::span<const bench_result> results) {
    std::string text = fmt::format(
        "processor  {}, {}\n"
        "compiler   {}\n"
        "kernel     {}\n"
        "filters    false-positive rate {}; the memory sizes are those of split-8x64\n"
        "keys       64-bit integers, and URLs of 23 to 40 bytes; half of the lookups are for\n"
        "           keys that are present; inserts repeat keys that are present\n"
        "rounds     {}; in each, every case handles {}\n\n",
        facts.processor, counted(facts.thread_count, "thread"), facts.compiler, facts.kernel,
        format_rate(bench_rate), facts.round_count, counted(segment_length, "key"));
    text += heading(results);
    for (const bench_result* each : rows_of(results)) {
        text += row(each->operation, *each, results,
                    [](const bench_result& at) { return cell(at.least_ns, at.median_ns); });
    }
    text += "\nrelative to the floor: hashing integers or the faster gather, whichever takes "
            "longer\n";
    for (const bench_result* each : rows_of(results)) {
        if (each->operation != bulk_lookup) continue;
        text += row("bulk lookup, x floor", *each, results, [&](const bench_result& at) {
            const lookup_floor floor = floor_of(results, at.item_count);
            return cell(at.least_ns / floor.least_ns, at.median_ns / floor.median_ns);
        });
    }
    if (has_kinds(results)) text += ratios_of_kinds(results);
    return text;
}

std::string lookup_bars(std::span<const bench_result> results, const canvas& on) {
    constexpr std::size_t labels = 16 + 10; // before the bars, and of the figures behind them
    const std::uint64_t size = std::ranges::max(sizes_of(results));
    std::vector<const bench_result*> lookups;
    double most = 0;
    for (const bench_result& each : results) {
        if (each.operation != bulk_lookup || each.item_count != size) continue;
        lookups.push_back(&each);
        most = std::max(most, each.least_ns);
    }
    std::string text = fmt::format("\nbulk lookup in {} keys, minimum ns\n", grouped(size));
    const std::size_t width = std::max<std::size_t>(on.columns, labels + 10) - labels;
    for (const bench_result* each : lookups) {
        text += fmt::format("{:<16}{} {:.2f}\n", each->subject,
                            inked(bar(each->least_ns / most, width, on), ink::cyan, on),
                            each->least_ns);
    }
    return text;
}

std::string json_of(const bench_facts& facts, std::span<const bench_result> results) {
    using json = nlohmann::ordered_json;
    const auto rounded = [](double ns) { return std::round(ns * 1000) / 1000; };
    json rows = json::array();
    for (const bench_result& each : results) {
        const double floor_ns = floor_of(results, each.item_count).least_ns;
        rows.push_back(
            {{"operation", each.operation},
             {"subject", each.subject},
             {"items", each.item_count},
             {"bytes", each.byte_count != 0 ? json(each.byte_count) : json()},
             {"rate", each.rate_measured ? json(*each.rate_measured) : json()},
             {"min_ns", rounded(each.least_ns)},
             {"median_ns", rounded(each.median_ns)},
             {"times_floor",
              each.operation == bulk_lookup ? json(rounded(each.least_ns / floor_ns)) : json()}});
    }
    const json whole{{"version", version},
                     {"processor", facts.processor},
                     {"threads", facts.thread_count},
                     {"compiler", facts.compiler},
                     {"kernel", facts.kernel},
                     {"rate", bench_rate},
                     {"rounds", facts.round_count},
                     {"keys_per_round", segment_length},
                     {"results", std::move(rows)}};
    return whole.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

std::string tsv_of(const bench_facts& facts, std::span<const bench_result> results) {
    std::string text = fmt::format("# {}; {}; kernel {}; {}\n", facts.processor, facts.compiler,
                                   facts.kernel, counted(facts.round_count, "round"));
    text += "operation\tsubject\titems\tbytes\trate\tmin_ns\tmedian_ns\n";
    for (const bench_result& each : results) {
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\n", each.operation, each.subject,
                            each.item_count,
                            each.byte_count == 0 ? "" : std::to_string(each.byte_count),
                            each.rate_measured ? fmt::format("{:.6f}", *each.rate_measured) : "",
                            each.least_ns, each.median_ns);
    }
    return text;
}

} // namespace bloomery::cli
