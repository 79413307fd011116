#include "encoder_bench/encode_clip.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "core/bounded_queue.h"
#include "core/stopwatch.h"
#include "encoder_bench/y4m_file.h"
#include "libav/mux/packet_file.h"

namespace framewright {
namespace {

// About as many frames as a render's compositor runs ahead of its encoder.
constexpr size_t kReadAhead = 4;

// Peak resident memory of this process. Not from getrusage, whose value starts with that of the parent
// process.
int64_t peakMemoryBytes() {
  constexpr int64_t kKibibyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * kKibibyte;
  }
  return 0;
}

// Reads frames on its own thread while others are encoded.
class ReadingThread {
 public:
  ReadingThread(Y4mReader& reader, int64_t frames) : queue_(kReadAhead) {
    thread_ = std::thread([this, &reader, frames] {
      for (int64_t i = 0; i < frames; ++i) {
        Result<ImagePtr> image = reader.next();
        if (!image.ok()) status_ = image.error();
        if (!image.ok() || image.value() == nullptr || !queue_.push(image.take())) break;
      }
      seconds_ = secondsOf(CLOCK_THREAD_CPUTIME_ID);
      queue_.close();
    });
  }
  ~ReadingThread() { end(); }

  std::optional<ImagePtr> next() { return queue_.pop(); }
  void end() {
    queue_.abort();
    if (thread_.joinable()) thread_.join();
  }
  // Call both after end().
  const Status& status() const { return status_; }
  double seconds() const { return seconds_; }

 private:
  BoundedQueue<ImagePtr> queue_;
  std::thread thread_;
  Status status_;
  double seconds_ = 0;
};

Status readPackets(const std::string& path, EncodeCost& cost) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<PacketFile> file, PacketFile::open(path));
  const PacketPtr packet(av_packet_alloc());
  if (packet == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "packet", ""};
  for (;;) {
    FW_ASSIGN_OR_RETURN(const bool more, file->read(*packet));
    if (!more) break;
    cost.bytes += packet->size;
  }
  if (file->packetsRead() == cost.frames) return {};
  return Error{ErrorCode::ENCODE_FAILED,
               "of " + std::to_string(cost.frames) + " frames " + std::to_string(file->packetsRead()) +
                   " came out of the encoder",
               ""};
}

}  // namespace

Result<EncodeCost> encodeClip(const std::string& source, int64_t frames, VideoEncoderSettings settings,
                              double keyframeSeconds, bool canPlanFrames, const std::string& path) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mReader> reader, Y4mReader::open(source));
  const Y4mHeader& header = reader->header();
  settings.width = header.width;
  settings.height = header.height;
  settings.fps = header.fps;
  const double rate = static_cast<double>(header.fps.num) / static_cast<double>(header.fps.den);
  settings.keyframeInterval = std::max(1, static_cast<int>(std::lround(keyframeSeconds * rate)));
  // No frame is repeated here, so this only says whether the engine may plan frames for the encoder.
  if (!canPlanFrames) settings.stillKeyframeInterval = 0;

  EncodeCost cost;
  const double wall = secondsOf(CLOCK_MONOTONIC), cpu = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  ReadingThread reading(*reader, frames > 0 ? frames : std::numeric_limits<int64_t>::max());
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<VideoEncoder> encoder, VideoEncoder::open(settings, path));
  while (std::optional<ImagePtr> image = reading.next()) {
    FW_RETURN_IF_ERROR(encoder->encode({std::move(*image), 1, 0}));
    ++cost.frames;
  }
  FW_ASSIGN_OR_RETURN([[maybe_unused]] const int64_t fileBytes, encoder->finish());
  cost.wallSeconds = secondsOf(CLOCK_MONOTONIC) - wall;
  reading.end();
  FW_RETURN_IF_ERROR(reading.status());
  cost.cpuSeconds = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpu - reading.seconds();
  cost.peakMemoryBytes = peakMemoryBytes();
  FW_RETURN_IF_ERROR(readPackets(path, cost));
  return cost;
}

}  // namespace framewright
