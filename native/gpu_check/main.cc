// Lists the graphics devices of this host, checks what they draw and measures how fast.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu_check/device_checks.h"

using namespace framewright;

namespace {

constexpr const char* kHelp =
    "gpu_check: which graphics devices can compose, whether they draw as the CPU does, and how fast.\n"
    "  --device N   only that one of the list\n"
    "  --cases N    random frames to compare (default 500)\n"
    "  --no-speed   compare only\n"
    "  --list       list only\n"
    "  --json       one JSON object instead of a table\n";

struct Arguments {
  int device = -1, cases = 500;
  bool speed = true, list = false, json = false;
};

bool parse(int count, char** values, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    const auto number = [&](int& to) {
      if (i + 1 >= count) return false;
      char* end = nullptr;
      to = static_cast<int>(std::strtol(values[++i], &end, 10));
      return *end == '\0' && to >= 0;
    };
    if (name == "--device" && number(arguments.device)) continue;
    if (name == "--cases" && number(arguments.cases)) continue;
    if (name == "--no-speed") {
      arguments.speed = false;
    } else if (name == "--list") {
      arguments.list = true;
    } else if (name == "--json") {
      arguments.json = true;
    } else {
      return false;
    }
  }
  return true;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

// What one device answered, as lines for people and as JSON.
struct Report {
  std::string table, json;
  bool good = true;
};

void addParity(Report& report, const ParityResult& parity) {
  report.good = report.good && parity.wrong == 0;
  report.table += format("  parity: %d frames, %d wrong, at most %d levels apart, similarity at least %.5f\n",
                         parity.cases, parity.wrong, parity.largestDifference, parity.leastSimilarity);
  if (!parity.firstFailure.empty()) report.table += "    " + parity.firstFailure + "\n";
  report.json += format(
                     ",\"parity\":{\"cases\":%d,\"wrong\":%d,\"largestDifference\":%d,\"leastSimilarity\":%."
                     "6f,\"firstFailure\":",
                     parity.cases, parity.wrong, parity.largestDifference, parity.leastSimilarity) +
                 quoted(parity.firstFailure) + "}";
}

void addFailure(Report& report, const Error& error) {
  report.good = false;
  report.table += "  failed: " + error.message + " " + error.detail + "\n";
  report.json += ",\"error\":" + quoted(error.message + " " + error.detail);
}

void addSpeed(Report& report, const std::shared_ptr<vulkan::Device>& device) {
  const auto bandwidth = measureCopyBandwidth(device);
  if (!bandwidth.ok()) return addFailure(report, bandwidth.error());
  report.table += format("  copies within the device: %.1f GB/s read and written\n", bandwidth.value() / 1e9);
  report.table +=
      "  size       layers  device ms  share of copy  with readback ms  CPU, one core ms  times the CPU\n";
  report.json += format(",\"copyBytesPerSecond\":%.0f,\"speed\":[", bandwidth.value());
  const char* separator = "";
  for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{3840, 2160}}) {
    for (const int layers : {1, 4, 10}) {
      const auto measured = measureSpeed(device, width, height, layers, bandwidth.value());
      if (!measured.ok()) {
        report.json += "]";
        return addFailure(report, measured.error());
      }
      const SpeedResult& s = measured.value();
      const double factor = s.deviceSeconds > 0 ? s.cpuSeconds / s.deviceSeconds : 0;
      report.table += format("  %4d x %4d  %6d  %9.3f  %12.1f%%  %16.3f  %16.3f  %13.1f\n", width, height,
                             layers, s.deviceSeconds * 1e3, s.shareOfCopy * 100, s.frameSeconds * 1e3,
                             s.cpuSeconds * 1e3, factor);
      report.json += separator;
      report.json += format(
          "{\"width\":%d,\"height\":%d,\"layers\":%d,\"deviceSeconds\":%.9f,\"frameSeconds\":%.9f,"
          "\"cpuSeconds\":%.9f,\"movedBytes\":%.0f,\"shareOfCopy\":%.5f}",
          width, height, layers, s.deviceSeconds, s.frameSeconds, s.cpuSeconds, s.movedBytes, s.shareOfCopy);
      separator = ",";
    }
  }
  report.json += "]";
}

Report check(const std::shared_ptr<const vulkan::Instance>& instance, size_t index,
             const Arguments& arguments) {
  const vulkan::DeviceFacts& facts = instance->devices()[index];
  Report report;
  const uint32_t version = facts.apiVersion;
  report.table = format("%zu: %s (%s), Vulkan %u.%u.%u, %.1f GB\n", index, facts.name.c_str(),
                        vulkan::deviceTypeName(facts.type), version >> 22 & 127, version >> 12 & 1023,
                        version & 4095, static_cast<double>(facts.deviceMemory) / 1e9);
  report.json = format("{\"index\":%zu,\"type\":\"%s\",\"driverVersion\":%u,\"memory\":%llu,\"name\":", index,
                       vulkan::deviceTypeName(facts.type), facts.driverVersion,
                       static_cast<unsigned long long>(facts.deviceMemory)) +
                quoted(facts.name) + ",\"missing\":" + quoted(facts.missing);
  if (!facts.missing.empty()) report.table += "  cannot compose: " + facts.missing + "\n";
  if (facts.missing.empty() && !arguments.list) {
    auto device = vulkan::Device::create(instance, index);
    if (device.ok()) {
      if (arguments.cases > 0) addParity(report, checkParity(device.value(), arguments.cases));
      if (arguments.speed) addSpeed(report, device.value());
    } else {
      addFailure(report, device.error());
    }
  }
  report.json += "}";
  return report;
}

}  // namespace

int main(int count, char** values) {
  Arguments arguments;
  if (!parse(count, values, arguments)) {
    std::fputs(kHelp, stderr);
    return 2;
  }
  const auto instance = vulkan::Instance::open();
  if (!instance.ok()) {
    if (arguments.json)
      std::printf("{\"devices\":[],\"error\":%s}\n", quoted(instance.error().message).c_str());
    else
      std::printf("%s\n", instance.error().message.c_str());
    return 1;
  }
  bool good = true;
  std::string json;
  for (size_t i = 0; i < instance.value()->devices().size(); ++i) {
    if (arguments.device >= 0 && static_cast<size_t>(arguments.device) != i) continue;
    const Report report = check(instance.value(), i, arguments);
    good = good && report.good;
    if (!arguments.json) std::fputs(report.table.c_str(), stdout);
    json += (json.empty() ? "" : ",") + report.json;
  }
  if (arguments.json) std::printf("{\"devices\":[%s]}\n", json.c_str());
  return good ? 0 : 1;
}
