// The bloomery command: parses, runs one verb, and turns every failure into one sentence and a
// status.
#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "command.hpp"
#include "describe.hpp"
#include "interruption.hpp"
#include "output.hpp"
#include "standard_streams.hpp"
#include "typed_words.hpp"
#include "warn.hpp"

#include <fmt/format.h>

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

void add_all(CLI::App& app, int& result) {
    add_plan(app, result);
    add_advise(app, result);
    add_create(app, result);
    add_add(app, result);
    add_remove(app, result);
    add_test(app, result);
    add_grep(app, result);
    add_count(app, result);
    add_uniq(app, result);
    add_except(app, result);
    add_cascade(app, result);
    add_merge(app, result);
    add_intersect(app, result);
    add_info(app, result);
    add_verify(app, result);
    add_convert(app, result);
    add_redis(app, result);
    add_guard(app, result);
    add_formats(app, result);
    add_bench(app, result);
    add_doctor(app, result);
}

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
    CLI::App app{"Bloom filters: surely not, or maybe.", "bloomery"};
    app.set_version_flag("--version", std::string("bloomery ") + version);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.footer(
        "Exit status: 0 found or done, 1 nothing found, 2 trouble, 3 overfilled (--strict).\n"
        "Each verb explains itself: bloomery VERB --help");
    app.parse_complete_callback(check_environment); // before any verb, after --help and --version
    add_all(app, result);
    add_describe(app, result);
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
    } catch (const bloomery::error& e) {
        return cli::complain(e.what());
    } catch (const std::bad_alloc&) {
        return cli::complain("the system refuses more memory; free some, or ask for less");
    } catch (const std::exception& e) {
        return cli::complain(e.what());
    }
}
