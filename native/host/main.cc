#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include <unistd.h>

#include "core/flat_memory.h"
#include "host/channel.h"
#include "host/messages.h"
#include "host/running_calls.h"
#include "libav/log_capture.h"
#include "render/encoding_turn.h"
#include "sandbox/system_calls.h"

namespace {

using namespace framewright;
using namespace framewright::host;

constexpr int kChannel = 3;
constexpr int kUsage = 2;
constexpr const char* kHelp =
    "usage: framewright-engine [--drivers] [--turns MOST CORES MEMORY_MB], with its channel as descriptor "
    "3\n";
constexpr std::chrono::seconds kAliveInterval{1};

struct Options {
  bool loadsDrivers = false;
  TurnLimits turns;
};

// Nothing when they are none of the above.
std::optional<Options> readOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--drivers") == 0) {
      options.loadsDrivers = true;
    } else if (std::strcmp(argv[i], "--turns") == 0 && i + 3 < argc) {
      options.turns.most = std::max(1, std::atoi(argv[++i]));
      options.turns.cores = std::atof(argv[++i]);
      options.turns.memoryBytes = std::atoll(argv[++i]) << 20;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void settleSignals() {
  // A terminal tells everyone in the group; whoever started this one decides what becomes of the work.
  std::signal(SIGINT, SIG_IGN);
  // Told as errors of the call instead: a reader that is gone, a file that may not grow.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// What only opens while programs' code may still be loaded is opened here; until it is, those who want
// graphics devices ask for --drivers, and what is sealed then leaves room for loading them.
void openDevices() {}

// A thread of its own: it says that the process lives, not that its work gets on.
void sayAlive(Channel& channel) {
  std::thread([&channel] {
    while (true) {
      std::this_thread::sleep_for(kAliveInterval);
      channel.writeLine(kAlive);
    }
  }).detach();
}

// At once: threads that hang must not delay the end.
[[noreturn]] void end(int status) { _exit(status); }

}  // namespace

int main(int argc, char** argv) {
  const auto options = readOptions(argc, argv);
  if (!options) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  settleSignals();
  keepMemoryFlat();
  withoutHugePages();
  silenceLog();
  openDevices();
  EncodingTurns::ofProcess().limit(options->turns);
  // Where the kernel has no such thing, nothing changes; `framewright doctor` tells.
  options->loadsDrivers ? sandbox::sealPrograms() : sandbox::sealSystemCalls();

  Channel channel(kChannel);
  RunningCalls calls(channel);
  sayAlive(channel);
  channel.writeLine(kReady);
  while (auto line = channel.readLine()) {
    auto order = readOrder(std::move(*line));
    if (!order) {
      std::fputs("framewright-engine: a line that is no message\n", stderr);
      end(kUsage);
    }
    if (order->act) {
      calls.start(order->id, std::move(*order->act));
    } else {
      calls.cancel(order->id);
    }
  }
  end(0);
}
