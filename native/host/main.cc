#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include <unistd.h>

#include "core/process_memory.h"
#include "host/channel.h"
#include "host/messages.h"
#include "host/running_calls.h"
#include "libav/log_capture.h"
#include "render/encode/encoder_slots.h"
#include "sandbox/system_calls.h"

namespace {

using namespace framewright;
using namespace framewright::host;

constexpr int kChannelDescriptor = 3;
constexpr int kUsageStatus = 2;
constexpr const char* kHelp =
    "usage: framewright-engine [--drivers] [--slots MAX CORES MEMORY_MB], with a socket as descriptor 3\n";
constexpr std::chrono::seconds kAliveInterval{1};

struct Options {
  bool loadsDrivers = false;
  EncoderSlotLimits slots;
};

std::optional<Options> parseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--drivers") == 0) {
      options.loadsDrivers = true;
    } else if (std::strcmp(argv[i], "--slots") == 0 && i + 3 < argc) {
      options.slots.maxSlots = std::max(1, std::atoi(argv[++i]));
      options.slots.cores = std::atof(argv[++i]);
      options.slots.memoryBytes = std::atoll(argv[++i]) << 20;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void ignoreSignals() {
  // A terminal sends it to the whole process group; the parent process decides when the engine ends.
  std::signal(SIGINT, SIG_IGN);
  // The write that fails returns the error: the peer is gone, or a file exceeds its limit.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

// Shows that the process is alive, not that its calls make progress.
void startAliveThread(Channel& channel) {
  std::thread([&channel] {
    while (true) {
      std::this_thread::sleep_for(kAliveInterval);
      channel.writeLine(kAliveLine);
    }
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = parseOptions(argc, argv);
  if (!options) {
    std::fputs(kHelp, stderr);
    return kUsageStatus;
  }
  ignoreSignals();
  configureMalloc();
  disableHugePages();
  silenceLog();
  EncoderSlots::ofProcess().setLimits(options->slots);
  // On kernels without these filters the process stays unsealed; `framewright doctor` reports that.
  options->loadsDrivers ? sandbox::sealPrograms() : sandbox::sealSystemCalls();

  Channel channel(kChannelDescriptor);
  RunningCalls calls(channel);
  startAliveThread(channel);
  channel.writeLine(kReadyLine);
  while (auto line = channel.readLine()) {
    auto request = parseRequest(std::move(*line));
    if (!request.ok()) {
      std::fprintf(stderr, "framewright-engine: %s\n", request.error().message.c_str());
      _exit(kUsageStatus);
    }
    auto& [id, command] = request.value();
    command ? calls.start(id, std::move(*command)) : calls.cancel(id);
  }
  // Without destructors, because a hanging call must not delay the end.
  _exit(0);
}
