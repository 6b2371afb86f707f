// The bloomery command: parses, runs one verb, and turns every failure into one sentence and a
// status.
#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "command.hpp"
#include "interruption.hpp"
#include "options/typed_words.hpp"
#include "output/output.hpp"
#include "standard_streams.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

namespace bloomery::cli {

namespace {

int complain(const std::string& sentence) {
    warn(sentence);
    return trouble;
}

/// Reports what the two kinds of standard output kept back. Streams do not keep the reason of a
/// failure; errno still has it, as long as nothing else was tried.
void flush_standard_output() {
    int reason = std::cout.flush().good() ? 0 : errno;
    if (reason == 0 && std::fflush(stdout) != 0) reason = errno;
    if (reason == EPIPE) throw broken_pipe{};
    if (reason != 0) {
        throw io_error("cannot write to standard output",
                       std::error_code(reason, std::generic_category()));
    }
}

/// What the command calls the limits that the library speaks of.
constexpr const char* raising_limits = " (give --format NAME,limit=SIZE)";

/// A misspelt kernel would be ignored by the library, and the wrong one measured.
void check_environment() {
    if (const auto complaint = kernel::environment_complaint()) throw bad_argument(*complaint);
}

void end_by_broken_pipe() {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
}

int run(int argc, char** argv) {
    int result = trouble;
    CLI::App app{"Bloom filters: definitely not, or maybe.", "bloomery"};
    app.set_version_flag("--version", std::string("bloomery ") + version);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.footer(
        "Exit status: 0 success or found, 1 nothing found, 2 error, 3 overfilled (--strict).\n"
        "Help for a verb: bloomery VERB --help");
    app.parse_complete_callback(check_environment); // before any verb, after --help and --version
    // In the order in which a newcomer meets them.
    for (const auto add :
         {add_plan,      add_advise,  add_create, add_add,    add_remove,  add_test,
          add_grep,      add_count,   add_uniq,   add_except, add_cascade, add_merge,
          add_intersect, add_fold,    add_info,   add_verify, add_convert, add_redis,
          add_guard,     add_formats, add_bench,  add_doctor, add_describe}) {
        add(app, result);
    }
    take_marks_off(app);
    try {
        app.parse(typed_words(app, {argv + 1, argv + argc}));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            const int status = app.exit(error); // --help and --version print themselves
            flush_standard_output();
            return status;
        }
        return complain(usage_complaint(app, error));
    }
    flush_standard_output();
    return result;
}

} // namespace
} // namespace bloomery::cli

int main(int argc, char** argv) {
    using namespace bloomery;
    cli::open_missing_standard_streams();
    cli::tidy_up_on_signals();
    // Writes to a closed pipe come back as errors, so that open work (a state file) can be
    // finished.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // a file past the user's limit is an error to be told, too
    try {
        return cli::run(argc, argv);
    } catch (const cli::broken_pipe&) {
        cli::end_by_broken_pipe();
        return cli::trouble;
    } catch (const cli::interrupted&) {
        cli::interruption::end_if_noted();
        return cli::trouble;
    } catch (const std::system_error& e) { // what fmt throws in the middle of a text
        if (e.code() == std::errc::broken_pipe) cli::end_by_broken_pipe();
        return cli::complain(e.what());
    } catch (const claim_refused& e) {
        return cli::complain(std::string(e.what()) + cli::raising_limits);
    } catch (const growth_refused& e) {
        return cli::complain(std::string(e.what()) + cli::raising_limits);
    } catch (const bloomery::error& e) {
        return cli::complain(e.what());
    } catch (const std::bad_alloc&) {
        return cli::complain("out of memory; free some, or ask for less");
    } catch (const std::exception& e) {
        return cli::complain(e.what());
    }
}
