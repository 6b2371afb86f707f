// Runs a command and records its time and memory.
//
//     measure RESULT COMMAND [ARGUMENT...]
//
// Appends "SECONDS PEAK_KIB" to the file RESULT: wall time from fork to exit, and the peak memory
// of the process. The command keeps its standard streams and its exit status.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: measure RESULT COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        ::execvp(argv[2], argv + 2);
        std::fprintf(stderr, "measure: cannot run %s: %s\n", argv[2], std::strerror(errno));
        ::_exit(127);
    }
    int status = 0;
    struct rusage used{};
    if (child < 0 || ::wait4(child, &status, 0, &used) < 0) {
        std::perror("measure");
        return 2;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::FILE* const result = std::fopen(argv[1], "a");
    if (result == nullptr) {
        std::perror(argv[1]);
        return 2;
    }
    std::fprintf(result, "%.4f %ld\n", took.count(), used.ru_maxrss);
    std::fclose(result);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
