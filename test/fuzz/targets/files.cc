#include <vector>

#include "compositor/compositor.h"
#include "core/cancel_token.h"
#include "formats/sprite_file.h"
#include "libav/av_handle.h"
#include "libav/decode/sequence_file.h"
#include "libav/encode/audio/encoded_audio.h"
#include "libav/log_capture.h"
#include "libav/mux/packet_file.h"
#include "targets.h"

namespace framewright::fuzz {
namespace {

void readPackets(const std::string& path) {
  auto packets = PacketFile::open(path);
  if (!packets.ok()) return;
  const PacketPtr packet(av_packet_alloc());
  for (int i = 0; i < 10'000; ++i) {
    auto more = packets.value()->read(*packet);
    if (!more.ok() || !more.value()) return;
  }
}

void readSequence(const std::string& path) {
  auto sequence = SequenceFile::open(path);
  if (!sequence.ok()) return;
  const int64_t end = sequence.value()->endUs();
  for (const int64_t at : {int64_t{0}, end / 3, end - 1, end + 1, int64_t{1}}) {
    static_cast<void>(sequence.value()->frameAt(at));
  }
}

// The drawn sizes are those of the tests' seeds.
void readStill(const std::string& path) {
  const auto compositor = createCpuCompositor();
  auto still = compositor->readStill(path, 6, 4);
  if (!still.ok()) return;
  Layer layer;
  layer.kind = Layer::Kind::kImage;
  layer.image = 0;
  layer.toCanvas = {9, 0, 1.5, 0, 7, 2.5};
  auto frame = Image::create(PixelFormat::kI420, 16, 16);
  const std::vector<PreparedImagePtr> images{still.take()};
  if (frame.ok()) static_cast<void>(compositor->compose({{layer}, {{}}}, images, *frame.value()));
}

}  // namespace

void files(std::span<const uint8_t> bytes) {
  static const bool isSilent = (silenceLog(), true);
  static_cast<void>(isSilent);
  const MemoryFile file(bytes);
  static_cast<void>(readSpriteFile(file.path()));
  readStill(file.path());
  readSequence(file.path());
  readPackets(file.path());
  const CancelToken cancel;
  static_cast<void>(decodeEncodedAudio(file.path(), 48'000, cancel,
                                       [](const float*, const float*, int64_t) { return Status{}; }));
}

}  // namespace framewright::fuzz
