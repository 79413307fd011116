#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include <unistd.h>

#include "core/flat_memory.h"
#include "host/channel.h"
#include "host/messages.h"
#include "host/running_calls.h"
#include "media/log_capture.h"
#include "sandbox/system_calls.h"

namespace {

using namespace framewright;
using namespace framewright::host;

constexpr int kChannel = 3;
constexpr int kUsage = 2;
constexpr std::chrono::seconds kAliveInterval{1};

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
  const bool loadsDrivers = argc == 2 && std::strcmp(argv[1], "--drivers") == 0;
  if (argc > 1 && !loadsDrivers) {
    std::fputs("usage: framewright-engine [--drivers], with its channel as descriptor 3\n", stderr);
    return kUsage;
  }
  settleSignals();
  keepMemoryFlat();
  silenceLog();
  openDevices();
  // Where the kernel has no such thing, nothing changes; `framewright doctor` tells.
  loadsDrivers ? sandbox::sealPrograms() : sandbox::sealSystemCalls();

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
