#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compositor/layer_times.h"
#include "core/image.h"
#include "core/result.h"
#include "timeline/draw_list.h"

namespace framewright {

// An image converted for one backend (CPU: planar 4:2:0 premultiplied with mip levels; GPU: the same planes
// in device memory). Immutable; shared between frames and threads.
class PreparedImage {
 public:
  virtual ~PreparedImage() = default;
};
using PreparedImagePtr = std::shared_ptr<const PreparedImage>;

// A composed frame and what it was composed from. Borrowed.
struct ComposedFrame {
  const DrawList& list;
  std::span<const PreparedImagePtr> images;
  const Image& frame;
};

// Turns DrawLists into frames. There are no policies or defaults here: a DrawList says everything.
// One compositor is used by one thread at a time; prepare() may be called from other threads while
// compose() runs.
class Compositor {
 public:
  virtual ~Compositor() = default;

  // Whether other compositors of this kind may draw the stills that this one prepared.
  virtual bool sharesImages() const { return false; }
  // Converts a still to the working format. `drawnWidth` x `drawnHeight` is the largest size in canvas
  // pixels at which the whole image will ever be drawn (0: unknown, keep its own size); a
  // larger image is scaled down to it with a good filter first.
  virtual Result<PreparedImagePtr> prepareStill(const Image& image, double drawnWidth,
                                                double drawnHeight) = 0;
  // Writes a prepared still to a new file, which readStill() of a later process accepts for the same sizes.
  // Fails with UNEXPECTED when it cannot be written. Backends without such files fail in both functions.
  virtual Status writeStill(const PreparedImage& still, double drawnWidth, double drawnHeight,
                            const std::string& path) const {
    static_cast<void>(still), static_cast<void>(drawnWidth), static_cast<void>(drawnHeight);
    return Error{ErrorCode::UNEXPECTED, "This compositor does not store prepared images.", path};
  }
  virtual Result<PreparedImagePtr> readStill(const std::string& path, double drawnWidth,
                                             double drawnHeight) const {
    static_cast<void>(drawnWidth), static_cast<void>(drawnHeight);
    return Error{ErrorCode::MEDIA_UNREADABLE, "This compositor does not store prepared images.", path};
  }
  // Wraps a decoded video frame without copying where it can; cheap enough for every frame.
  virtual Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth,
                                                     double drawnHeight) = 0;

  // Creates a frame where drawing into it is cheapest. `wanted` is kI420 or kNv12; compositors that do not
  // draw kNv12 return kI420. The frame may outlive the compositor. Its contents are undefined.
  virtual Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) {
    static_cast<void>(wanted);
    return Image::create(PixelFormat::kI420, width, height);
  }

  // The device that draws; nothing for compositors that draw in main memory.
  virtual std::optional<DeviceIdentity> device() const { return std::nullopt; }
  // Creates a kNv12 frame in device memory; `place` is not kHost. Another interface may read it there. It may
  // outlive the compositor. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Result<std::shared_ptr<Image>> createDeviceFrame(FramePlace place, int width, int height) {
    static_cast<void>(place), static_cast<void>(width), static_cast<void>(height);
    return Error{ErrorCode::GPU_FAILED, "This compositor draws in main memory.", ""};
  }

  // Draws the list over black into `frame`, a kI420 image of the canvas size or one of createFrame().
  // images[i] belongs to list.images[i].
  virtual Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) = 0;

  // compose() in two steps, for backends that work on several frames at once. After start() the list and the
  // images are no longer needed; `frame` is complete once finish() has returned and must not move until then.
  // Starting more frames than framesInFlight() waits for the oldest one.
  virtual Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) {
    return compose(list, images, frame);
  }
  virtual Status finish(Image&) { return {}; }
  virtual int framesInFlight() const { return 1; }

  // The same bytes as compose(), at the cost of what differs from `before`, which a compositor of the same
  // kind drew. Cheapest when `frame` still holds an earlier frame of this compositor.
  virtual Status recompose(const DrawList& list, std::span<const PreparedImagePtr> images,
                           const ComposedFrame& before, Image& frame) {
    static_cast<void>(before);
    return compose(list, images, frame);
  }

  // Why the CPU replaced a failed device; empty while no device has failed.
  virtual std::string deviceFailure() const { return {}; }

  // Drawing times of the last compose() or recompose(); null when the backend does not measure layers.
  virtual const LayerTimes* layerTimes() const { return nullptr; }
};

// The compositor that draws on the CPU. Never fails; any thread.
std::unique_ptr<Compositor> createCpuCompositor();

}  // namespace framewright
