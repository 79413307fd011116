#include "gpu_check/report.h"

#include <cstdarg>
#include <cstdio>

namespace framewright {
namespace {

double speedup(double cpuSeconds, double deviceSeconds) {
  return deviceSeconds > 0 ? cpuSeconds / deviceSeconds : 0;
}

void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }

}  // namespace

std::string format(const char* pattern, ...) {
  char text[512];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

void Report::print(const std::string& text) const {
  if (!printsText_) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void Report::addDevice(size_t index, const vulkan::DeviceProperties& device) {
  const uint32_t version = device.apiVersion;
  print(format("%zu: %s (%s), Vulkan %u.%u.%u, %.1f GB\n", index, device.name.c_str(),
               vulkan::deviceTypeName(device.type), version >> 22 & 127, version >> 12 & 1023, version & 4095,
               static_cast<double>(device.deviceMemory) / 1e9));
  if (!device.missing.empty()) print("  cannot compose: " + device.missing + "\n");
  json_ = format("\"index\":%zu,\"type\":\"%s\",\"driverVersion\":%u,\"memory\":%llu,\"name\":", index,
                 vulkan::deviceTypeName(device.type), device.driverVersion,
                 static_cast<unsigned long long>(device.deviceMemory)) +
          quoted(device.name) + ",\"missing\":" + quoted(device.missing);
}

void Report::addOpening(const OpeningResult& opening) {
  print(format("  opening: drivers %.0f ms, device %.0f ms, first frame %.0f ms\n", opening.instance * 1e3,
               opening.device * 1e3, opening.firstFrame * 1e3));
  json_ += format(",\"opening\":{\"instanceSeconds\":%.4f,\"deviceSeconds\":%.4f,\"firstFrameSeconds\":%.4f}",
                  opening.instance, opening.device, opening.firstFrame);
}

void Report::addParity(const ParityResult& parity) {
  good_ = good_ && parity.wrong == 0;
  print(format("  parity: %d frames, %d wrong, largest difference %d levels, SSIM at least %.5f\n",
               parity.cases, parity.wrong, parity.largestDifference, parity.minSimilarity));
  if (!parity.firstFailure.empty()) print("    " + parity.firstFailure + "\n");
  json_ += format(
               ",\"parity\":{\"cases\":%d,\"wrong\":%d,\"largestDifference\":%d,\"minSimilarity\":%.6f,"
               "\"firstFailure\":",
               parity.cases, parity.wrong, parity.largestDifference, parity.minSimilarity) +
           quoted(parity.firstFailure) + "}";
}

void Report::addDeepParity(const DeepParityResult& parity) {
  good_ = good_ && parity.wrong == 0;
  print(format(
      "  10 bits: %d frames, %d wrong, %d by the CPU, largest difference %d codes of luma, chroma %.3f\n",
      parity.cases, parity.wrong, parity.hostFrames, parity.largestDifference, parity.chromaDifference));
  if (!parity.firstFailure.empty()) print("    " + parity.firstFailure + "\n");
  json_ +=
      format(
          ",\"deepParity\":{\"cases\":%d,\"wrong\":%d,\"hostFrames\":%d,\"largestDifference\":%d,"
          "\"chromaDifference\":%.6f,\"firstFailure\":",
          parity.cases, parity.wrong, parity.hostFrames, parity.largestDifference, parity.chromaDifference) +
      quoted(parity.firstFailure) + "}";
}

void Report::addSharing(const SharingResult& sharing) {
  const auto describe = [](const std::string& reason) { return reason.empty() ? "yes" : "no. " + reason; };
  const std::string node =
      sharing.renderNode < 0 ? "unknown" : "renderD" + std::to_string(sharing.renderNode);
  print("  frames shared with CUDA (opaque descriptors): " + describe(sharing.opaque) + "\n" +
        "  ordered by semaphores: " + describe(sharing.timeline) + "\n" +
        "  frames shared with VAAPI (dma-buf): " + describe(sharing.dmaBuf) + "; render node: " + node +
        "\n");
  json_ += ",\"sharing\":{\"opaque\":" + quoted(sharing.opaque) +
           ",\"timeline\":" + quoted(sharing.timeline) + ",\"dmaBuf\":" + quoted(sharing.dmaBuf) +
           ",\"renderNode\":" + std::to_string(sharing.renderNode) + "}";
}

void Report::addDecodeInterop(const CodecReport& paths) {
  print(paths.lines);
  json_ += ",\"decodedFrames\":[" + paths.json + "]";
}

void Report::addCopies(double within, double readBack) {
  print(format("  copies: %.1f GB/s read and written within the device, %.1f GB/s back to the host\n",
               within / 1e9, readBack / 1e9));
  json_ += format(",\"copyBytesPerSecond\":%.0f,\"readBackBytesPerSecond\":%.0f", within, readBack);
}

void Report::addSpeed(const SpeedResult& s) {
  if (speeds_.empty()) {
    print(
        "                            milliseconds a frame               share    times the CPU     mJ\n"
        "  size       layers  bits   drawn  read back  CPU, one core  of copy    drawn  read back  a "
        "frame\n");
  }
  print(format("  %4d x %4d  %6d  %4d  %6.3f  %9.3f  %13.3f  %6.1f%%  %7.1f  %9.1f  %7.1f\n", s.width,
               s.height, s.layers, s.bits, s.deviceSeconds * 1e3, s.frameSeconds * 1e3, s.cpuSeconds * 1e3,
               s.shareOfCopy * 100, speedup(s.cpuSeconds, s.deviceSeconds),
               speedup(s.cpuSeconds, s.frameSeconds), s.joulesPerFrame * 1e3));
  append(speeds_,
         format("{\"width\":%d,\"height\":%d,\"layers\":%d,\"bits\":%d,\"deviceSeconds\":%.9f,"
                "\"frameSeconds\":%.9f,"
                "\"cpuSeconds\":%.9f,\"joulesPerFrame\":%.5f,\"movedBytes\":%.0f,\"shareOfCopy\":%.5f}",
                s.width, s.height, s.layers, s.bits, s.deviceSeconds, s.frameSeconds, s.cpuSeconds,
                s.joulesPerFrame, s.movedBytes, s.shareOfCopy));
}

void Report::addFailure(const std::string& part, const Error& error) {
  good_ = false;
  const std::string text = part + ": " + error.message + (error.detail.empty() ? "" : " " + error.detail);
  print("  failed: " + text + "\n");
  append(errors_, quoted(text));
}

std::string Report::json() const {
  return "{" + json_ + ",\"speed\":[" + speeds_ + "],\"errors\":[" + errors_ + "]}";
}

}  // namespace framewright
