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

// A picture made ready for one backend (CPU: planar 4:2:0 premultiplied with mip levels; GPU: a texture).
// Immutable and shareable between frames.
class Picture {
 public:
  virtual ~Picture() = default;
};
using PicturePtr = std::shared_ptr<const Picture>;

// A frame that was composed, and from what. Borrowed.
struct Composed {
  const DrawList& list;
  std::span<const PicturePtr> pictures;
  const Image& frame;
};

// Turns DrawLists into frames. No policy and no defaults live here: a DrawList says it all.
// One compositor is used by one thread at a time; prepare() may be called from other threads while
// compose() runs.
class Compositor {
 public:
  virtual ~Compositor() = default;

  // Whether other compositors of this kind may draw the stills that this one has prepared.
  virtual bool sharesPictures() const { return false; }
  // Converts to the working format once. `drawnWidth` x `drawnHeight` is the largest size in canvas
  // pixels at which the whole picture will ever be drawn (0: unknown, keep its own size); a larger
  // picture is scaled down to it with a good filter first.
  virtual Result<PicturePtr> prepareStill(const Image& image, double drawnWidth, double drawnHeight) = 0;
  // A prepared still as a new file, which readStill() of a later process takes for the same sizes. Fails with
  // UNEXPECTED where it cannot be written; backends that have no such files fail with both.
  virtual Status writeStill(const Picture& still, double drawnWidth, double drawnHeight,
                            const std::string& path) const {
    static_cast<void>(still), static_cast<void>(drawnWidth), static_cast<void>(drawnHeight);
    return Error{ErrorCode::UNEXPECTED, "This compositor's pictures are not kept.", path};
  }
  virtual Result<PicturePtr> readStill(const std::string& path, double drawnWidth, double drawnHeight) const {
    static_cast<void>(drawnWidth), static_cast<void>(drawnHeight);
    return Error{ErrorCode::MEDIA_UNREADABLE, "This compositor's pictures are not kept.", path};
  }
  // Wraps a decoded video frame without copying where it can; cheap enough for every frame.
  virtual Result<PicturePtr> prepareVideoFrame(ImagePtr image, double drawnWidth, double drawnHeight) = 0;

  // A frame to draw into where that costs least. `wanted` is kI420 or kNv12; compositors that do not draw the
  // latter give the former. It may outlive the compositor. Contents are undefined.
  virtual Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) {
    static_cast<void>(wanted);
    return Image::create(PixelFormat::kI420, width, height);
  }

  // The device that draws; nothing of those that draw in main memory.
  virtual std::optional<DeviceIdentity> device() const { return std::nullopt; }
  // A kNv12 frame that stands on the device, beyond FramePlace::kHost. The same interface reads it there, or
  // it is drawn over; may outlive the compositor. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Result<std::shared_ptr<Image>> createDeviceFrame(FramePlace place, int width, int height) {
    static_cast<void>(place), static_cast<void>(width), static_cast<void>(height);
    return Error{ErrorCode::GPU_FAILED, "Frames are drawn in main memory.", ""};
  }

  // Draws the list over black into `frame`, a kI420 image of the canvas size or one of createFrame().
  // pictures[i] belongs to list.pictures[i].
  virtual Status compose(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) = 0;

  // The same in two steps, for backends that work on several frames at once: after start() the list and the
  // pictures are no longer needed, and `frame` is drawn once finish() has returned. Both stay with the
  // frame's address; starting more frames than framesInFlight() waits for the oldest.
  virtual Status start(const DrawList& list, std::span<const PicturePtr> pictures, Image& frame) {
    return compose(list, pictures, frame);
  }
  virtual Status finish(Image&) { return {}; }
  virtual int framesInFlight() const { return 1; }

  // The same, byte for byte, at the price of what differs from `before`, which a compositor of the same kind
  // made. Cheapest where `frame` still holds an earlier frame of this very compositor.
  virtual Status recompose(const DrawList& list, std::span<const PicturePtr> pictures, const Composed& before,
                           Image& frame) {
    static_cast<void>(before);
    return compose(list, pictures, frame);
  }

  // Why the CPU draws in place of a device that failed; empty where none did.
  virtual std::string deviceFailure() const { return {}; }

  // Of the last compose() or recompose(), where the backend can tell layers apart.
  virtual const LayerTimes* layerTimes() const { return nullptr; }
};

std::unique_ptr<Compositor> createCpuCompositor();

}  // namespace framewright
