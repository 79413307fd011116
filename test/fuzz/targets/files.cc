#include "core/cancel_token.h"
#include "media/av_handle.h"
#include "media/encoded_sound.h"
#include "media/log_capture.h"
#include "media/packet_file.h"
#include "media/sequence_file.h"
#include "media/sprite_file.h"
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
    static_cast<void>(sequence.value()->pictureAt(at));
  }
}

}  // namespace

void files(std::span<const uint8_t> bytes) {
  static const bool isSilent = (silenceLog(), true);
  static_cast<void>(isSilent);
  const MemoryFile file(bytes);
  static_cast<void>(readSpriteFile(file.path()));
  readSequence(file.path());
  readPackets(file.path());
  const CancelToken cancel;
  static_cast<void>(
      hearEncoded(file.path(), 48'000, cancel, [](const float*, const float*, int64_t) { return Status{}; }));
}

}  // namespace framewright::fuzz
