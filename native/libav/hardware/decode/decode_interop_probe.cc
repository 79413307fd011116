#include "libav/hardware/decode/decode_interop_probe.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "libav/hardware/decode/decode_device.h"
#include "libav/hardware/decode/probe_clip.h"
#include "libav/hardware/decode/surface_decoder.h"
#include "libav/hardware/surface_rows.h"

namespace framewright {
namespace {

constexpr int kFrames = 24;
constexpr size_t kFramesInUse = 6;  // as many as wait for the compositor in a render

Error mismatch(const std::string& what) { return {ErrorCode::GPU_FAILED, what, ""}; }

using FrameSink = std::function<Status(FramePtr frame)>;

Status decodeAll(FrameDecoder& decoder, const ClipHead& head, const CancelToken& cancel,
                 const FrameSink& sink) {
  for (size_t next = 0; next <= head.packets.size(); ++next) {
    decoder.send(next < head.packets.size() ? head.packets[next].get() : nullptr);
    while (!decoder.fault()) {
      if (cancel.cancelled()) return cancelledError();
      FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
      if (decoder.receive(*frame) < 0) break;
      FW_RETURN_IF_ERROR(sink(std::move(frame)));
    }
    if (decoder.fault()) return mismatch(decoder.fault()->why);
  }
  return {};
}

bool equalRows(const uint8_t* a, ptrdiff_t strideA, const uint8_t* b, ptrdiff_t strideB, int width,
               int height) {
  for (int y = 0; y < height; ++y) {
    if (!std::equal(a + y * strideA, a + y * strideA + width, b + y * strideB)) return false;
  }
  return true;
}

bool isSame(const AVFrame& expected, const Image& image) {
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image.plane(p);
    const int bytes = plane.width * (image.format() == PixelFormat::kI010 ? 2 : 1);
    if (!equalRows(expected.data[p], expected.linesize[p], plane.data, plane.stride, bytes, plane.height))
      return false;
  }
  return true;
}

// Compares what the device's compositor reads, then the download.
Status check(const AVFrame& expected, const AVFrame& frame) {
  const ImagePtr image = deviceImageOf(frame);
  if (image == nullptr) return mismatch("its frames stay in main memory");
  if (image->width() != expected.width || image->height() != expected.height)
    return mismatch("its frames have another size");
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> seen,
                      Image::create(image->format(), image->width(), image->height()));
  FW_RETURN_IF_ERROR(image->deviceMemory()->read(*seen));
  FW_ASSIGN_OR_RETURN(
      const std::shared_ptr<Image> planar,
      Image::create(image->format() == PixelFormat::kP010 ? PixelFormat::kI010 : PixelFormat::kI420,
                    image->width(), image->height()));
  AVFrame surface{};
  for (int p = 0; p < 2; ++p) {
    surface.data[p] = seen->plane(p).data;
    surface.linesize[p] = static_cast<int>(seen->plane(p).stride);
  }
  copySurface(surface, image->format() == PixelFormat::kP010 ? 10 : 8,
              {planar->plane(0), planar->plane(1), planar->plane(2)});
  if (!isSame(expected, *planar)) return mismatch("the compositor's device reads other samples");
  FW_ASSIGN_OR_RETURN(const ImagePtr downloaded, image->decodedFrame()->download());
  if (!isSame(expected, *downloaded)) return mismatch("other samples are downloaded");
  return {};
}

Status compare(const ClipHead& head, const std::shared_ptr<const DecodeDevice>& device,
               const DecoderOutput& output, const CancelToken& cancel) {
  std::deque<FramePtr> expected, used;
  FW_ASSIGN_OR_RETURN(auto decoder, decodeOnDevice(*head.stream, device));
  FW_RETURN_IF_ERROR(decodeAll(*decoder, head, cancel, [&](FramePtr frame) -> Status {
    expected.push_back(std::move(frame));
    return {};
  }));
  FW_ASSIGN_OR_RETURN(decoder, decodeOnDevice(*head.stream, device, true));
  decoder->setOutput(output);
  if (const std::string reason = decoder->transfers().reason; !reason.empty()) return mismatch(reason);
  const auto checkOldest = [&]() -> Status {
    if (expected.empty()) return mismatch("the device outputs more frames");
    const FramePtr frame = std::move(used.front()), same = std::move(expected.front());
    used.pop_front();
    expected.pop_front();
    const Status checked = check(*same, *frame);
    const std::string reason = decoder->transfers().reason;
    return checked.ok() || reason.empty() ? checked : Status(mismatch(reason));
  };
  FW_RETURN_IF_ERROR(decodeAll(*decoder, head, cancel, [&](FramePtr frame) -> Status {
    used.push_back(std::move(frame));
    return used.size() > kFramesInUse ? checkOldest() : Status();
  }));
  while (!used.empty()) FW_RETURN_IF_ERROR(checkOldest());
  return expected.empty() ? Status() : Status(mismatch("the device outputs too few frames"));
}

}  // namespace

std::string decodeInteropKey(const std::string& device, const DeviceIdentity& target, int bits) {
  return "decoded frames " + device + " " + std::to_string(bits) + " " +
         std::string(target.uuid.begin(), target.uuid.end());
}

Result<ProbeOutcome> probeDecodeInterop(const std::shared_ptr<const DecodeDevice>& device,
                                        const DecodeFormat& format, const DecoderOutput& output,
                                        const CancelToken& cancel) {
  const auto clip = makeProbeClip(format, kProbeWidth, kProbeHeight, kFrames);
  if (!clip.ok()) return ProbeOutcome{reasonOf(clip.error()), true};
  // Frames that the probe loses are not the compositor's.
  const auto target = std::make_shared<DecodeTarget>();
  target->device = output.target->device;
  target->memory = output.target->memory;
  const Status compared = compare(clip.value().head, device, {target, output.device, output.key}, cancel);
  if (compared.ok()) return ProbeOutcome{};
  if (compared.error().code == ErrorCode::CANCELLED) return compared.error();
  const ProbeOutcome outcome = decodeFailure(reasonOf(compared.error()));
  return ProbeOutcome{outcome.reason,
                      outcome.isTemporary || compared.error().code == ErrorCode::OUT_OF_MEMORY};
}

}  // namespace framewright
