#include "gpu_check/report.h"

#include <cstdio>

namespace framewright {
namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

double times(double cpuSeconds, double deviceSeconds) {
  return deviceSeconds > 0 ? cpuSeconds / deviceSeconds : 0;
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void Report::tell(const std::string& text) const {
  if (!tells_) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void Report::addDevice(size_t index, const vulkan::DeviceProperties& facts) {
  const uint32_t version = facts.apiVersion;
  tell(format("%zu: %s (%s), Vulkan %u.%u.%u, %.1f GB\n", index, facts.name.c_str(),
              vulkan::deviceTypeName(facts.type), version >> 22 & 127, version >> 12 & 1023, version & 4095,
              static_cast<double>(facts.deviceMemory) / 1e9));
  if (!facts.missing.empty()) tell("  cannot compose: " + facts.missing + "\n");
  facts_ = format("\"index\":%zu,\"type\":\"%s\",\"driverVersion\":%u,\"memory\":%llu,\"name\":", index,
                  vulkan::deviceTypeName(facts.type), facts.driverVersion,
                  static_cast<unsigned long long>(facts.deviceMemory)) +
           quoted(facts.name) + ",\"missing\":" + quoted(facts.missing);
}

void Report::addParity(const ParityResult& parity) {
  good_ = good_ && parity.wrong == 0;
  tell(format("  parity: %d frames, %d wrong, at most %d levels apart, similarity at least %.5f\n",
              parity.cases, parity.wrong, parity.largestDifference, parity.leastSimilarity));
  if (!parity.firstFailure.empty()) tell("    " + parity.firstFailure + "\n");
  facts_ += format(
                ",\"parity\":{\"cases\":%d,\"wrong\":%d,\"largestDifference\":%d,\"leastSimilarity\":%.6f,"
                "\"firstFailure\":",
                parity.cases, parity.wrong, parity.largestDifference, parity.leastSimilarity) +
            quoted(parity.firstFailure) + "}";
}

void Report::addSharing(const SharingResult& sharing) {
  const auto words = [](const std::string& reason) { return reason.empty() ? "yes" : "no. " + reason; };
  const std::string node =
      sharing.renderNode < 0 ? "not known" : "renderD" + std::to_string(sharing.renderNode);
  tell("  frames for CUDA's encoder (opaque descriptors): " + words(sharing.opaque) + "\n" +
       "  frames for VAAPI's encoder (dma-buf): " + words(sharing.dmaBuf) + "; render node: " + node + "\n");
  facts_ += ",\"sharing\":{\"opaque\":" + quoted(sharing.opaque) + ",\"dmaBuf\":" + quoted(sharing.dmaBuf) +
            ",\"renderNode\":" + std::to_string(sharing.renderNode) + "}";
}

void Report::addCopies(double within, double readBack) {
  tell(format("  copies: %.1f GB/s read and written within the device, %.1f GB/s back to the host\n",
              within / 1e9, readBack / 1e9));
  facts_ += format(",\"copyBytesPerSecond\":%.0f,\"readBackBytesPerSecond\":%.0f", within, readBack);
}

void Report::addSpeed(const SpeedResult& s) {
  if (speeds_.empty()) {
    tell(
        "                      milliseconds a frame               share    times the CPU\n"
        "  size       layers   drawn  read back  CPU, one core  of copy    drawn  read back\n");
  }
  tell(format("  %4d x %4d  %6d  %6.3f  %9.3f  %13.3f  %6.1f%%  %7.1f  %9.1f\n", s.width, s.height, s.layers,
              s.deviceSeconds * 1e3, s.frameSeconds * 1e3, s.cpuSeconds * 1e3, s.shareOfCopy * 100,
              times(s.cpuSeconds, s.deviceSeconds), times(s.cpuSeconds, s.frameSeconds)));
  append(speeds_,
         format("{\"width\":%d,\"height\":%d,\"layers\":%d,\"deviceSeconds\":%.9f,\"frameSeconds\":%.9f,"
                "\"cpuSeconds\":%.9f,\"movedBytes\":%.0f,\"shareOfCopy\":%.5f}",
                s.width, s.height, s.layers, s.deviceSeconds, s.frameSeconds, s.cpuSeconds, s.movedBytes,
                s.shareOfCopy));
}

void Report::addFailure(const std::string& part, const Error& error) {
  good_ = false;
  const std::string text = part + ": " + error.message + (error.detail.empty() ? "" : " " + error.detail);
  tell("  failed: " + text + "\n");
  append(errors_, quoted(text));
}

std::string Report::json() const {
  return "{" + facts_ + ",\"speed\":[" + speeds_ + "],\"errors\":[" + errors_ + "]}";
}

}  // namespace framewright
