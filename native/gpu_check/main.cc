// Lists the graphics devices of this host, checks what they draw and measures how fast.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/stopwatch.h"
#include "gpu_check/codec_report.h"
#include "gpu_check/report.h"

using namespace framewright;

namespace {

constexpr const char* kHelp =
    R"(gpu_check: tests which graphics devices can compose, whether they draw like the CPU, and how fast.
  --device N   test only this device of the list
  --cases N    number of random frames to compare, with 8 and with 10 bits (default 500, 0: none)
  --no-speed   do not measure speed
  --list       only list the devices
  --json       print one JSON object instead of text
  --help       print this help
Speed is measured for 1080p and 4K frames with 1, 4 and 10 layers, as NV12, and with 1 and 4 layers as P010. "drawn" is measured by the device's
timestamps, "read back" until the host can read the frame with several in flight, "CPU" on one core. "share of
copy" is the memory traffic of drawing relative to the device's copy bandwidth.
The report says whether frames can be shared with encoders on the device; `framewright doctor` tests the
encoders with them.
Builds with libav (without FRAMEWRIGHT_GPU_CHECK_ONLY) also open every encoder and encode a frame, compare and
time each device's decoding of H.264, HEVC, VP9 and AV1 against software decoding, and measure how many frames
several decoders and encoders at once do, and whole renders by each hardware encoder.
Exit status: 0 when every device that can compose passed; 1 when one failed or none can compose; 2 for invalid
arguments.
)";

struct Arguments {
  int device = -1, cases = 500;
  bool speed = true, list = false, json = false, help = false;
};

bool parse(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    const auto number = [&](int& to) {
      if (i + 1 >= count) return false;
      char* end = nullptr;
      to = static_cast<int>(std::strtol(values[++i], &end, 10));
      return end != values[i] && *end == '\0' && to >= 0;
    };
    if (name == "--device" || name == "--cases") {
      if (!number(name == "--device" ? arguments.device : arguments.cases)) return false;
    } else if (name == "--no-speed") {
      arguments.speed = false;
    } else if (name == "--list") {
      arguments.list = true;
    } else if (name == "--json") {
      arguments.json = true;
    } else if (name == "--help") {
      arguments.help = true;
    } else {
      return false;
    }
  }
  return true;
}

// Continues after a measurement that fails.
void measure(const std::shared_ptr<vulkan::Device>& device, Report& report) {
  const auto within = measureCopies(device), readBack = measureReadBack(device);
  if (!within.ok()) report.addFailure("copies within the device", within.error());
  if (!readBack.ok()) report.addFailure("copies to the host", readBack.error());
  const double copies = within.ok() ? within.value() : 0;
  report.addCopies(copies, readBack.ok() ? readBack.value() : 0);
  for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{3840, 2160}}) {
    for (const auto& [layers, bits] : {std::pair{1, 8}, {4, 8}, {10, 8}, {1, 10}, {4, 10}}) {
      const auto measured = measureSpeed(device, width, height, layers, bits, copies);
      if (measured.ok()) {
        report.addSpeed(measured.value());
      } else {
        report.addFailure(std::to_string(layers) + " layers of " + std::to_string(width) + " x " +
                              std::to_string(height) + " with " + std::to_string(bits) + " bits",
                          measured.error());
      }
    }
  }
}

// Returns whether the device can compose.
bool check(const std::shared_ptr<const vulkan::Instance>& instance, size_t index, const Arguments& arguments,
           OpeningResult opening, Report& report) {
  const vulkan::DeviceProperties& properties = instance->devices()[index];
  report.addDevice(index, properties);
  if (!properties.missing.empty()) return false;
  if (arguments.list) return true;
  const double begin = secondsOf(CLOCK_MONOTONIC);
  const auto device = vulkan::Device::create(instance, index);
  opening.device = secondsOf(CLOCK_MONOTONIC) - begin;
  if (!device.ok()) {
    report.addFailure("opening the device", device.error());
    return true;
  }
  if (const Status drawn = measureFirstFrame(device.value(), opening); drawn.ok()) {
    report.addOpening(opening);
  } else {
    report.addFailure("the first frame", drawn.error());
  }
  if (arguments.cases > 0) {
    report.addParity(checkParity(device.value(), arguments.cases));
    report.addDeepParity(checkDeepParity(device.value(), arguments.cases));
  }
  report.addSharing(checkSharing(device.value()));
  report.addDecodeInterop(checkDecodeInterop(device.value()));
  if (arguments.speed) measure(device.value(), report);
  return true;
}

int fail(const std::string& message, const std::string& codecs, bool json) {
  if (json) std::printf("{\"devices\":[],%s,\"error\":%s}\n", codecs.c_str(), quoted(message).c_str());
  std::fprintf(stderr, "%s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  const bool isValid = parse(count, values, arguments);
  if (!isValid || arguments.help) {
    std::fputs(kHelp, isValid ? stdout : stderr);
    return isValid ? 0 : 2;
  }
  const CodecReport encoders = arguments.list ? CodecReport() : checkEncoders(arguments.speed);
  if (!arguments.json) std::fputs(encoders.lines.c_str(), stdout);
  const CodecReport decoders = arguments.list ? CodecReport() : checkDecoders(arguments.speed);
  if (!arguments.json) std::fputs(decoders.lines.c_str(), stdout);
  const std::string codecs = "\"encoders\":[" + encoders.json + "],\"decoders\":[" + decoders.json + "]";
  const auto failed = [&](const std::string& message) { return fail(message, codecs, arguments.json); };
  const double begin = secondsOf(CLOCK_MONOTONIC);
  const auto opened = vulkan::Instance::open();
  const OpeningResult opening{.instance = secondsOf(CLOCK_MONOTONIC) - begin};
  if (!opened.ok()) return failed(opened.error().message + " " + opened.error().detail);
  const auto& instance = opened.value();
  const size_t devices = instance->devices().size();
  if (devices == 0) return failed("No Vulkan driver reports a device.");
  if (arguments.device >= static_cast<int>(devices))
    return failed("--device must be less than " + std::to_string(devices) + ", the number of devices.");
  bool isGood = true, composes = false;
  std::string json;
  for (size_t i = 0; i < devices; ++i) {
    if (arguments.device >= 0 && static_cast<size_t>(arguments.device) != i) continue;
    Report report(!arguments.json);
    composes = check(instance, i, arguments, opening, report) || composes;
    isGood = isGood && report.isGood();
    json += (json.empty() ? "" : ",") + report.json();
  }
  if (arguments.json) std::printf("{\"devices\":[%s],%s}\n", json.c_str(), codecs.c_str());
  return isGood && composes ? 0 : 1;
}
