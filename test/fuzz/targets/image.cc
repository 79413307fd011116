#include "core/cancel_token.h"
#include "formats/image_header.h"
#include "libav/decode/animation_file.h"
#include "libav/decode/still_decoder.h"
#include "libav/log_capture.h"
#include "targets.h"

namespace framewright::fuzz {
namespace {

void play(const std::string& path) {
  const CancelToken cancel;
  auto file = AnimationFile::open(path, cancel);
  if (!file.ok()) return;
  const int64_t end = file.value()->endUs();
  for (const int64_t at : {end / 2, int64_t{0}, end - 1, end / 3})
    static_cast<void>(file.value()->frameAt(at));
}

}  // namespace

void image(std::span<const uint8_t> bytes) {
  static const bool isSilent = (silenceLog(), true);
  static_cast<void>(isSilent);
  static_cast<void>(sniffForeignImage(bytes));
  auto header = readImageHeader(bytes);
  if (!header.ok()) return;
  // Very large images are not decoded, to save time.
  if (int64_t{header.value().width} * header.value().height > 1024 * 1024) return;
  const MemoryFile file(bytes);
  play(file.path());
  auto decoded = decodeStill(file.path());
  if (!decoded.ok()) return;
  const Image& decodedImage = *decoded.value();
  uint64_t sum = 0;
  for (int p = 0; p < decodedImage.planeCount(); ++p) {
    const Plane& plane = decodedImage.plane(p);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) sum += plane.data[y * plane.stride + x];
    }
  }
  // Keeps the compiler from removing the reads.
  asm volatile("" : : "r"(sum) : "memory");
}

}  // namespace framewright::fuzz
