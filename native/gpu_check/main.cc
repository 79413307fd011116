// Lists the graphics devices of this host, checks what they draw and measures how fast.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gpu_check/codec_report.h"
#include "gpu_check/report.h"

using namespace framewright;

namespace {

constexpr const char* kHelp =
    "gpu_check: which graphics devices can compose, whether they draw as the CPU does, and how fast.\n"
    "  --device N   only that one of the list\n"
    "  --cases N    random frames to compare (default 500; 0: none)\n"
    "  --no-speed   compare only\n"
    "  --list       list only\n"
    "  --json       one JSON object instead of a table\n"
    "  --help       this\n"
    "Frames of 1080p and 4K are drawn of 1, 4 and 10 layers as NV12. \"drawn\" is by the device's clock; "
    "\"read\n"
    "back\" is until the host can read them, with several under way; \"CPU\" is what one core takes for the "
    "same.\n"
    "\"share of copy\" holds the bytes that drawing must move against how fast the device copies.\n"
    "Whether frames can stay on the device for encoders there is told too; that they arrive is tried by\n"
    "`framewright doctor`, which has the encoders.\n"
    "Built with libav (not with FRAMEWRIGHT_GPU_CHECK_ONLY), it also opens every encoder and gives it a\n"
    "image, and has each device decode H.264 and HEVC, compares every sample with the processor's, and\n"
    "times both.\n"
    "Ends with 0 if every device that can compose did all that was asked; with 1 if not, or where none "
    "can.\n";

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

// What cannot be measured is left out, and the rest goes on.
void measure(const std::shared_ptr<vulkan::Device>& device, Report& report) {
  const auto within = measureCopies(device), readBack = measureReadBack(device);
  if (!within.ok()) report.addFailure("copies within the device", within.error());
  if (!readBack.ok()) report.addFailure("copies to the host", readBack.error());
  const double copies = within.ok() ? within.value() : 0;
  report.addCopies(copies, readBack.ok() ? readBack.value() : 0);
  for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{3840, 2160}}) {
    for (const int layers : {1, 4, 10}) {
      const auto measured = measureSpeed(device, width, height, layers, copies);
      if (measured.ok()) {
        report.addSpeed(measured.value());
      } else {
        report.addFailure(
            std::to_string(layers) + " layers of " + std::to_string(width) + " x " + std::to_string(height),
            measured.error());
      }
    }
  }
}

// False where the device cannot compose at all.
bool check(const std::shared_ptr<const vulkan::Instance>& instance, size_t index, const Arguments& arguments,
           Report& report) {
  const vulkan::DeviceProperties& facts = instance->devices()[index];
  report.addDevice(index, facts);
  if (!facts.missing.empty()) return false;
  if (arguments.list) return true;
  const auto device = vulkan::Device::create(instance, index);
  if (!device.ok()) {
    report.addFailure("opening", device.error());
    return true;
  }
  if (arguments.cases > 0) report.addParity(checkParity(device.value(), arguments.cases));
  report.addSharing(checkSharing(device.value()));
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
  const bool understood = parse(count, values, arguments);
  if (!understood || arguments.help) {
    std::fputs(kHelp, understood ? stdout : stderr);
    return understood ? 0 : 2;
  }
  const CodecReport encoders = arguments.list ? CodecReport() : checkEncoders();
  if (!arguments.json) std::fputs(encoders.lines.c_str(), stdout);
  const CodecReport decoders = arguments.list ? CodecReport() : checkDecoders(arguments.speed);
  if (!arguments.json) std::fputs(decoders.lines.c_str(), stdout);
  const std::string codecs = "\"encoders\":[" + encoders.json + "],\"decoders\":[" + decoders.json + "]";
  const auto failed = [&](const std::string& message) { return fail(message, codecs, arguments.json); };
  const auto opened = vulkan::Instance::open();
  if (!opened.ok()) return failed(opened.error().message + " " + opened.error().detail);
  const auto& instance = opened.value();
  const size_t devices = instance->devices().size();
  if (devices == 0) return failed("No Vulkan driver finds a device.");
  if (arguments.device >= static_cast<int>(devices))
    return failed("There are only " + std::to_string(devices) + " devices, from 0 on.");
  bool good = true, composes = false;
  std::string json;
  for (size_t i = 0; i < devices; ++i) {
    if (arguments.device >= 0 && static_cast<size_t>(arguments.device) != i) continue;
    Report report(!arguments.json);
    composes = check(instance, i, arguments, report) || composes;
    good = good && report.isGood();
    json += (json.empty() ? "" : ",") + report.json();
  }
  if (arguments.json) std::printf("{\"devices\":[%s],%s}\n", json.c_str(), codecs.c_str());
  return good && composes ? 0 : 1;
}
