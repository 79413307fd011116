#include "gpu_check/decode_streams.h"

#include <atomic>
#include <thread>
#include <vector>

#include "core/stopwatch.h"
#include "gpu_check/energy.h"
#include "libav/hardware/decode/probe_clip.h"
#include "libav/hardware/decode/surface_decoder.h"

namespace framewright {
namespace {

constexpr int kClipFrames = 32, kMaxDecoders = 16;
constexpr double kStreamSeconds = 0.7;

// Decodes the clip again and again for a time; returns the number of frames.
Result<int> decodeFor(double seconds, const ClipHead& head, const std::shared_ptr<const DecodeDevice>& device,
                      std::atomic<int>& ready, int decoders) {
  auto opened = decodeOnDevice(*head.stream, device);
  ++ready;
  FW_ASSIGN_OR_RETURN(const auto decoder, std::move(opened));
  FW_ASSIGN_OR_RETURN(const FramePtr frame, allocateFrame());
  while (ready < decoders) std::this_thread::yield();
  const double last = secondsOf(CLOCK_MONOTONIC) + seconds;
  int frames = 0;
  for (size_t next = 0; secondsOf(CLOCK_MONOTONIC) < last; next = (next + 1) % head.packets.size()) {
    decoder->send(head.packets[next].get());
    while (decoder->receive(*frame) >= 0) {
      ++frames;
      av_frame_unref(frame.get());
    }
    if (decoder->fault()) return Error{ErrorCode::DECODE_FAILED, decoder->fault()->why, ""};
  }
  return frames;
}

Result<StreamRate> measure(const DecodeDeviceId& id, const ClipHead& head,
                           const std::shared_ptr<const DecodeDevice>& device, int decoders) {
  std::atomic<int> ready{0};
  std::vector<Result<int>> counts(static_cast<size_t>(decoders), 0);
  const double energy = energyUsed(id.device);
  std::vector<std::thread> threads;
  for (Result<int>& count : counts) {
    threads.emplace_back([&] { count = decodeFor(kStreamSeconds, head, device, ready, decoders); });
  }
  for (std::thread& thread : threads) thread.join();
  StreamRate streams{.count = decoders};
  int frames = 0;
  for (const Result<int>& count : counts) {
    if (!count.ok()) return count.error();
    frames += count.value();
  }
  streams.framesPerSecond = frames / kStreamSeconds;
  if (energy > 0 && frames > 0) streams.joulesPerFrame = (energyUsed(id.device) - energy) / frames;
  return streams;
}

}  // namespace

Result<StreamRate> measureDecodeStreams(const DecodeDeviceId& id, const DecodeFormat& format, int width,
                                        int height) {
  FW_ASSIGN_OR_RETURN(const ProbeClip clip, makeProbeClip(format, width, height, kClipFrames));
  FW_ASSIGN_OR_RETURN(const auto device, id.backend->open(id.device));
  return findBestRate(kMaxDecoders, [&](int decoders) { return measure(id, clip.head, device, decoders); });
}

}  // namespace framewright
