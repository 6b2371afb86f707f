// bloomery verify: is the file whole?
#include <bloomery/error.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct options {
    std::vector<std::string> paths;
    access_options access;
    bool quiet = false;
};

int run(const options& o) {
    int result = some;
    for (const std::string& path : o.paths) {
        try {
            static_cast<void>(read_filter(path, o.access)); // reading checks everything
            if (!o.quiet) fmt::print("{}: ok\n", path);
        } catch (const bloomery::error& e) {
            warn(e.what());
            result = trouble;
        }
    }
    return result;
}

} // namespace

void add_verify(CLI::App& app, int& result) {
    auto o = std::make_shared<options>();
    CLI::App* verb = app.add_subcommand("verify", "Check every checksum and invariant of a filter");
    verb->add_option("FILTER", o->paths, "The filters; - for standard input")->required();
    verb->add_flag("-q,--quiet", o->quiet, "Print nothing for a good one");
    add_access_options(*verb, o->access);
    verb->footer("Exit status: 0 if all are whole, 2 if one is not.\n"
                 "Example: bloomery verify *.bloom");
    verb->callback([o, &result] { result = run(*o); });
}

} // namespace bloomery::cli
