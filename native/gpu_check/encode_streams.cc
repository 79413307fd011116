#include "gpu_check/encode_streams.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "core/stopwatch.h"
#include "gpu_check/energy.h"
#include "libav/encode/encode_frame.h"
#include "libav/encode/video/families.h"
#include "libav/encode/video/open_encoder.h"

namespace framewright {
namespace {

constexpr int kMaxEncoders = 16;
constexpr int kTestFrames = 8;
constexpr double kEncodeCrf = 23;

// Frames with moving texture, which take an encoder about as long as footage.
Result<std::vector<ImagePtr>> testFrames(const VideoEncoderSettings& settings) {
  std::vector<ImagePtr> frames;
  for (int number = 0; number < kTestFrames; ++number) {
    FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                        Image::create(VideoEncoder::inputFormat(settings), settings.width, settings.height));
    for (int p = 0; p < image->planeCount(); ++p) {
      const Plane& plane = image->plane(p);
      for (int y = 0; y < plane.height; ++y) {
        uint8_t* const row = plane.data + y * plane.stride;
        for (int x = 0; x < plane.stride; ++x) {
          const int moved = x + 5 * number, grain = (moved * 7 + y * 13) ^ (moved * y >> 4);
          row[x] = static_cast<uint8_t>(60 + (moved / 16 + y / 16) % 5 * 24 + (grain & 15));
        }
      }
    }
    frames.push_back(std::move(image));
  }
  return frames;
}

// Feeds one encoder; counts the packets that come out.
class Feed {
 public:
  Feed(OpenedEncoder encoder, const std::vector<ImagePtr>& frames)
      : encoder_(std::move(encoder)), frames_(frames) {}

  // Encodes for a time from when all of `encoders` feeds have their first packet.
  Result<int> run(double seconds, std::atomic<int>& ready, int encoders) {
    auto first = encodeNext();
    while (first.ok() && first.value() == 0) first = encodeNext();
    ++ready;
    if (!first.ok()) return first.error();
    while (ready < encoders) std::this_thread::yield();
    int packets = 0;
    for (const double last = secondsOf(CLOCK_MONOTONIC) + seconds; secondsOf(CLOCK_MONOTONIC) < last;) {
      FW_ASSIGN_OR_RETURN(const int more, encodeNext());
      packets += more;
    }
    return packets;
  }

 private:
  Result<int> encodeNext() {
    const ImagePtr& image = frames_[static_cast<size_t>(next_) % frames_.size()];
    FW_ASSIGN_OR_RETURN(const FramePtr frame, encoder_.input.frame(image, next_++));
    int packets = 0;
    FW_RETURN_IF_ERROR(
        encodeFrame(*encoder_.context, frame.get(), "the encoder fails", [&packets](AVPacket&) -> Status {
          ++packets;
          return {};
        }));
    return packets;
  }

  OpenedEncoder encoder_;
  const std::vector<ImagePtr>& frames_;
  int64_t next_ = 0;
};

Result<StreamRate> measure(const EncoderFamily& family, const VideoEncoderSettings& settings,
                           const std::vector<ImagePtr>& frames, int encoders, double seconds) {
  std::vector<Feed> feeds;
  for (int i = 0; i < encoders; ++i) {
    OpenResult outcome = openEncoder(family, settings);
    if (!outcome.opened && i == 0) return outcome.refusal.error;
    if (!outcome.opened) return StreamRate{.count = encoders, .sessions = i};
    feeds.emplace_back(std::move(*outcome.opened), frames);
  }
  const std::string card = family.isNvenc ? "0" : "";
  const double energy = family.isNvenc ? energyUsed(card) : 0;
  std::atomic<int> ready{0};
  std::vector<Result<int>> counts(feeds.size(), 0);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < feeds.size(); ++i)
    threads.emplace_back([&, i] { counts[i] = feeds[i].run(seconds, ready, encoders); });
  for (std::thread& thread : threads) thread.join();
  int packets = 0;
  for (const Result<int>& count : counts) {
    if (!count.ok()) return count.error();
    packets += count.value();
  }
  StreamRate rate{.count = encoders, .framesPerSecond = packets / seconds};
  if (energy > 0 && packets > 0) rate.joulesPerFrame = (energyUsed(card) - energy) / packets;
  return rate;
}

}  // namespace

Result<StreamRate> measureEncodeStreams(const std::string& encoder, int width, int height, double seconds) {
  const EncoderFamily* const family = findEncoderFamily(encoder);
  if (family == nullptr)
    return Error{ErrorCode::ENCODER_UNAVAILABLE, "the engine does not know the encoder " + encoder, ""};
  VideoEncoderSettings settings;
  settings.encoder = encoder;
  settings.preset = family->fastPreset;
  settings.crf = kEncodeCrf;
  settings.width = width;
  settings.height = height;
  FW_ASSIGN_OR_RETURN(const std::vector<ImagePtr> frames, testFrames(settings));
  return findBestRate(kMaxEncoders,
                      [&](int encoders) { return measure(*family, settings, frames, encoders, seconds); });
}

}  // namespace framewright
