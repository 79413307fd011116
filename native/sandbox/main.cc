#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/file_rules.h"
#include "sandbox/limits.h"
#include "sandbox/privileges.h"
#include "sandbox/supervise.h"
#include "sandbox/system_calls.h"

namespace {

using namespace framewright::sandbox;

constexpr int kUsage = 2;
// Exit code if a layer required by --require is unavailable.
constexpr int kNotConfined = 126;
constexpr int kCannotRun = 127;

constexpr const char* kHelp =
    "usage: framewright-sandbox [options] -- PROGRAM ARGUMENTS\n"
    "       framewright-sandbox --check\n"
    "  --confine            only the files named below, no network, no privileges\n"
    "  --require            with --confine: rather do not run than run with fewer layers\n"
    "  --read PATH          --write PATH    --device PATH    --program PATH\n"
    "  --memory-mb N        --cpu-seconds N --file-mb N      --descriptors N\n"
    "  --keep N             the one descriptor besides 0, 1 and 2 that is handed on\n"
    "  --die-with-parent    killed when the parent ends\n"
    "  --supervise          the program's whole group is killed when it or the parent ends\n"
    "  --no-network         a network namespace with nothing in it, where there can be one\n"
    "  --cuda               what libcuda needs to start: local packet sockets, names for own threads\n";

// libcuda names its threads there; cuInit fails with 304 where it may not.
constexpr const char* kOwnThreads = "/proc/self/task";

struct Request {
  FileRules files;
  Limits limits;
  int inherited = -1;
  bool confine = false, require = false, dieWithParent = false, supervise = false, noNetwork = false;
  bool cuda = false;
  char* const* command = nullptr;
};

// Returns false for an unknown option or a missing value.
bool readOption(std::string_view name, const char* value, Request& request, int& used) {
  const auto flag = [&](bool& target) { return used = 1, target = true; };
  const auto path = [&](std::vector<std::string>& list) {
    if (value == nullptr) return false;
    list.emplace_back(value);
    return used = 2, true;
  };
  const auto number = [&](uint64_t& target, uint64_t unit) {
    if (value == nullptr) return false;
    target = std::strtoull(value, nullptr, 10) * unit;
    return used = 2, true;
  };
  constexpr uint64_t kMegabyte = 1024 * 1024;
  if (name == "--confine") return flag(request.confine);
  if (name == "--require") return flag(request.require);
  if (name == "--die-with-parent") return flag(request.dieWithParent);
  if (name == "--supervise") return flag(request.supervise);
  if (name == "--no-network") return flag(request.noNetwork);
  if (name == "--cuda") return request.files.existing.emplace_back(kOwnThreads), flag(request.cuda);
  if (name == "--read") return path(request.files.readable);
  if (name == "--write") return path(request.files.writable);
  if (name == "--device") return path(request.files.devices);
  if (name == "--program") return path(request.files.programs);
  if (name == "--memory-mb") return number(request.limits.memoryBytes, kMegabyte);
  if (name == "--cpu-seconds") return number(request.limits.cpuSeconds, 1);
  if (name == "--file-mb") return number(request.limits.fileBytes, kMegabyte);
  if (name == "--descriptors") return number(request.limits.descriptors, 1);
  uint64_t inherited = 0;
  if (name != "--keep" || !number(inherited, 1)) return false;
  request.inherited = static_cast<int>(inherited);
  return true;
}

bool parse(int argc, char** argv, Request& request) {
  for (int i = 1; i < argc;) {
    if (std::strcmp(argv[i], "--") == 0) {
      request.command = argv + i + 1;
      return i + 1 < argc;
    }
    int used = 0;
    if (!readOption(argv[i], i + 1 < argc ? argv[i + 1] : nullptr, request, used)) return false;
    i += used;
  }
  return false;
}

// Tries a layer in a child process.
void report(const char* name, const std::function<Outcome()>& layer, const std::string& detail) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const Outcome outcome = layer();
    std::printf("%s\t%s\t%s\n", name, outcome.ok ? "on" : "off",
                outcome.ok ? detail.c_str() : outcome.reason.c_str());
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
    std::printf("%s\toff\tit cannot be tried\n", name);
  }
}

int check() {
  report(
      "landlock",
      [] {
        return restrictFiles({{"/"}, {}, {}, {}, {}});
      },
      "version " + std::to_string(landlockVersion()));
  report(
      "seccomp", [] { return restrictSystemCalls(); }, "");
  report(
      "privileges", [] { return dropPrivileges(); }, "");
  report(
      "network", [] { return leaveNetwork(); }, "");
  return 0;
}

bool confine(const Request& request) {
  bool whole = true;
  const auto note = [&whole](const Outcome& outcome) {
    if (outcome.ok) return true;
    whole = false;
    return false;
  };
  note(restrictFiles(request.files));
  note(dropPrivileges());
  // Without the seccomp filter, an empty network namespace is the fallback.
  if (!note(restrictSystemCalls(request.cuda ? Sockets::kLocalPackets : Sockets::kNone))) leaveNetwork();
  return whole;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--check") == 0) return check();
  Request request;
  if (!parse(argc, argv, request)) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  setLimits(request.limits);
  if (request.noNetwork) leaveNetwork();
  if (request.confine) {
    volunteerForOutOfMemory();
    dropDescriptors(request.inherited);
    if (!confine(request) && request.require) {
      std::fputs(
          "framewright-sandbox: not every layer of the sandbox can be had; `framewright doctor` tells more\n",
          stderr);
      return kNotConfined;
    }
  }
  // Last, since changing privileges may undo it.
  if (request.dieWithParent) dieWithParent();
  if (request.supervise) return supervise(request.command);
  execvp(request.command[0], request.command);
  std::fprintf(stderr, "framewright-sandbox: %s: %s\n", request.command[0], std::strerror(errno));
  return kCannotRun;
}
