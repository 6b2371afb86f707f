// RocksDB's side of the live test: keys on standard input, one a line in hexadecimal digits.
//
//   make TABLE FILTER BITS_PER_KEY FORMAT_VERSION   a table of these keys, which must be sorted and
//                                                   distinct, and the filter that is in it
//   put  TABLE FILTER                               the filter into the table instead of its own
//   ask  TABLE                                      prints the lines whose key may be in its filter
// No header that RocksDB installs makes or queries a filter by itself. So the filter is cut out of
// a table that RocksDB wrote; to have RocksDB read one of our filters, we put it in its place: the
// table has no checksums, and filters for equally many keys have the same length. RocksDB's answers
// are in its statistics. It queries the filter only for keys between the first and the last key of
// the table.
#include "lines.hpp"

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>

#include <memory>
#include <stdexcept>

namespace {

void check(const rocksdb::Status& status) {
    if (!status.ok()) throw std::runtime_error(status.ToString());
}

rocksdb::Options options_for(double bits_per_key, std::uint32_t format_version) {
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(bits_per_key));
    table.format_version = format_version;
    table.checksum = rocksdb::kNoChecksum;
    table.no_block_cache = true;
    rocksdb::Options options;
    options.compression = rocksdb::kNoCompression;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return options;
}

struct place {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::uint64_t take_number(const std::string& from, std::size_t& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(from.at(at++));
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return value;
    }
}

place take_place(const std::string& from, std::size_t& at) {
    const std::uint64_t offset = take_number(from, at);
    return {offset, take_number(from, at)};
}

/// The last 53 bytes of a table tell where its metaindex is, and that where its filter is: an entry
/// is the length shared with the name before, that of the rest, that of the value; rest and value.
place filter_place(const std::string& table) {
    std::size_t at = table.size() - 53 + 1;
    const place index = take_place(table, at);
    std::string name;
    for (at = index.offset; at < index.offset + index.size;) {
        const std::uint64_t shared = take_number(table, at);
        const std::uint64_t rest = take_number(table, at);
        const std::uint64_t value = take_number(table, at);
        name = name.substr(0, shared) + table.substr(at, rest);
        at += rest;
        if (name.rfind("fullfilter.", 0) == 0) return take_place(table, at);
        at += value;
    }
    throw std::runtime_error("the table has no filter");
}

void make(const std::string& file, const std::string& filter, double bits_per_key,
          std::uint32_t format_version) {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options_for(bits_per_key, format_version));
    check(writer.Open(file));
    for (const std::string& line : read_lines()) check(writer.Put(from_hex(line), "value"));
    check(writer.Finish());
    const std::string table = read_file(file);
    const place at = filter_place(table);
    write_file(filter, table.substr(at.offset, at.size));
}

void put(const std::string& file, const std::string& filter) {
    std::string table = read_file(file);
    const std::string bytes = read_file(filter);
    const place at = filter_place(table);
    if (bytes.size() != at.size) throw std::runtime_error("the filter has another length");
    write_file(file, table.replace(at.offset, at.size, bytes));
}

void ask(const std::string& file) {
    rocksdb::Options options = options_for(10, 5);
    options.create_if_missing = true;
    options.statistics = rocksdb::CreateDBStatistics();
    rocksdb::DB* opened = nullptr;
    check(rocksdb::DB::Open(options, file + ".db", &opened));
    std::unique_ptr<rocksdb::DB> db(opened);
    check(db->IngestExternalFile({file}, {}));
    const auto count = [&](rocksdb::Tickers which) {
        return options.statistics->getTickerCount(which);
    };
    for (const std::string& line : read_lines()) {
        const auto no = count(rocksdb::BLOOM_FILTER_USEFUL);
        const auto maybe = count(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
        std::string value;
        (void)db->Get(rocksdb::ReadOptions(), from_hex(line), &value);
        const bool said_no = count(rocksdb::BLOOM_FILTER_USEFUL) == no + 1;
        const bool said_maybe = count(rocksdb::BLOOM_FILTER_FULL_POSITIVE) == maybe + 1;
        if (said_no == said_maybe) throw std::runtime_error("the filter was not asked: " + line);
        if (said_maybe) std::cout << line << '\n';
    }
    db.reset();
    check(rocksdb::DestroyDB(file + ".db", options));
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.at(0) == "make") {
        make(words.at(1), words.at(2), std::stod(words.at(3)),
             static_cast<std::uint32_t>(std::stoul(words.at(4))));
    } else if (words.at(0) == "put") {
        put(words.at(1), words.at(2));
    } else {
        ask(words.at(1));
    }
}
