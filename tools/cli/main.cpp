// The bloomery command: parses, runs one verb, and turns every failure into one sentence and a
// status.
#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "command.hpp"
#include "describe.hpp"
#include "interruption.hpp"
#include "literal.hpp"
#include "output.hpp"
#include "quoted.hpp"
#include "standard_streams.hpp"
#include "warn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
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

// CLI11 speaks of "arguments that were not expected"; say which, and where to look.
int complain_of_usage(const CLI::App& app, const CLI::ParseError& error) {
    std::string verb;
    for (const CLI::App* chosen = &app; !chosen->get_subcommands().empty();) {
        chosen = chosen->get_subcommands().back();
        verb += chosen->get_name() + " ";
    }
    return complain(fmt::format("{} (see: bloomery {}--help)", error.what(), verb));
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

/// The verb that was typed and that there is not, or nothing; `redis nonsense` is one, too.
std::optional<std::string> unknown_verb(CLI::App& app, int argc, char** argv) {
    std::string typed;
    CLI::App* within = &app;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::vector<CLI::App*> verbs = within->get_subcommands({});
        if (verbs.empty()) break;
        typed += (typed.empty() ? "" : " ") + std::string(argv[i]);
        const auto found = std::ranges::find(verbs, argv[i], &CLI::App::get_name);
        if (found == verbs.end()) return typed;
        within = *found;
    }
    return std::nullopt;
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
    if (const auto typed = unknown_verb(app, argc, argv)) {
        const std::string outer = typed->substr(0, typed->rfind(' ') + 1);
        return complain(
            fmt::format("there is no verb {} (see: bloomery {}--help)", in_quotes(*typed), outer));
    }
    std::vector<std::string> arguments = literal_arguments(argc, argv);
    take_literally(app);
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            const int status = app.exit(error); // --help and --version print themselves
            flush_standard_output();
            return status;
        }
        return complain_of_usage(app, error);
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
