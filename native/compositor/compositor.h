#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compositor/layer_times.h"
#include "core/canvas_color.h"
#include "core/image.h"
#include "core/result.h"
#include "devices/device_registry.h"
#include "timeline/draw_list.h"

namespace framewright {

// An image converted for one backend (CPU: planar 4:2:0 premultiplied with mip levels; GPU: the same planes
// in device memory). Immutable; shared between frames and threads.
class PreparedImage {
 public:
  virtual ~PreparedImage() = default;
};
using PreparedImagePtr = std::shared_ptr<const PreparedImage>;

// A composed frame and its inputs. Borrowed.
struct ComposedFrame {
  const DrawList& list;
  std::span<const PreparedImagePtr> images;
  const Image& frame;
};

// Renders DrawLists to frames without policies or defaults of its own. A compositor is used by one thread at
// a time; prepare() may be called from other threads while compose() runs.
class Compositor {
 public:
  virtual ~Compositor() = default;

  // Whether other compositors of this kind can draw stills prepared by this one.
  virtual bool sharesImages() const { return false; }
  // Converts a still to the working format. `drawnWidth` x `drawnHeight` is the maximum size in canvas pixels
  // at which the whole image is drawn (0: unknown, the size is unchanged); larger images are downscaled to it
  // once with a high-quality filter.
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
  // Wraps a decoded video frame, without a copy if possible; called for every frame. Compositors with
  // decodedFrameMemory() take decoded frames in device memory, too, and download those of other devices.
  virtual Result<PreparedImagePtr> prepareVideoFrame(ImagePtr image, double drawnWidth,
                                                     double drawnHeight) = 0;

  // Allocates a frame in the memory that is fastest to draw into. `wanted` is kI420 or kNv12; compositors
  // without kNv12 return kI420. The frame may outlive the compositor and is uninitialised.
  virtual Result<std::shared_ptr<Image>> createFrame(PixelFormat wanted, int width, int height) {
    static_cast<void>(wanted);
    return Image::create(PixelFormat::kI420, width, height);
  }

  // Set by compositors of high precision: they take frames of videos as kI010 in these colors, besides SDR of
  // 8 bits.
  virtual std::optional<CanvasColor> deepColor() const { return std::nullopt; }

  // The device that draws; nothing for CPU compositors.
  virtual std::optional<DeviceIdentity> device() const { return std::nullopt; }
  // Allocates a kNv12 frame in device memory for another API; `place` is not kHost. The frame may outlive the
  // compositor. Fails with GPU_FAILED or OUT_OF_MEMORY.
  virtual Result<std::shared_ptr<Image>> createDeviceFrame(FramePlace place, int width, int height) {
    static_cast<void>(place), static_cast<void>(width), static_cast<void>(height);
    return Error{ErrorCode::GPU_FAILED, "This compositor draws in main memory.", ""};
  }

  // Memory on the device for decoded frames; null: they are drawn from main memory.
  virtual std::shared_ptr<const DecodedFrameMemory> decodedFrameMemory() const { return nullptr; }

  // Composites the list over black into `frame`, a kI420 image of the canvas size or a frame of
  // createFrame(). images[i] belongs to list.images[i].
  virtual Status compose(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) = 0;

  // The decoded frame of a video whose samples are those that compose() would write, so that nothing has to
  // be drawn; null if there is none. It is shared and must not be written.
  virtual ImagePtr passThrough(const DrawList& list, std::span<const PreparedImagePtr> images, int width,
                               int height) const {
    static_cast<void>(list), static_cast<void>(images), static_cast<void>(width), static_cast<void>(height);
    return nullptr;
  }

  // Asynchronous compose() for backends with several frames in flight. The list and images may be released
  // after start(); `frame` must stay in place until finish() has completed it. Starting more than
  // framesInFlight() frames waits for the oldest one.
  virtual Status start(const DrawList& list, std::span<const PreparedImagePtr> images, Image& frame) {
    return compose(list, images, frame);
  }
  // Frames with a FrameTimeline may still be drawn afterwards.
  virtual Status finish(Image&) { return {}; }
  // Waits for everything that was started. Fails if a frame with a FrameTimeline was not drawn or not read,
  // and may therefore show anything.
  virtual Status settle() { return {}; }
  virtual int framesInFlight() const { return 1; }

  // Produces the same bytes as compose() but redraws only the changes since `before`, a frame of a compositor
  // of the same kind. Fastest when `frame` contains an earlier frame of this compositor.
  virtual Status recompose(const DrawList& list, std::span<const PreparedImagePtr> images,
                           const ComposedFrame& before, Image& frame) {
    static_cast<void>(before);
    return compose(list, images, frame);
  }

  // Why the CPU replaced a failed device; empty while no device has failed.
  virtual std::string deviceFailure() const { return {}; }
  // Number of frames that the CPU drew for a device because the device has no version of what they show.
  virtual int64_t hostFrames() const { return 0; }

  // Drawing times of the last compose() or recompose(); null if the backend has no per-layer times.
  virtual const LayerTimes* layerTimes() const { return nullptr; }
};

// Creates the CPU compositor. Never fails; any thread.
std::unique_ptr<Compositor> createCpuCompositor();

}  // namespace framewright
