#include <memory>
#include <string>
#include <vector>

#include "compositor/choose_compositor.h"
#include "libav/encode/stills/preview_image.h"
#include "render/audio/audio_levels.h"
#include "render/render.h"
#include "render/sources/decoder_cache.h"
#include "render/sources/image_loader.h"
#include "render/sources/still_cache.h"
#include "timeline/draw_list.h"

namespace framewright {

void cacheMediaBetweenFrames() {
  static const std::shared_ptr<StillCache> cache = StillCache::ofProcess();
  DecoderCache::ofProcess().enable(true);
}

Result<ImagePtr> composeFrame(const Timeline& timeline, int64_t frame, const CancelToken& cancel,
                              const std::string& stillsFolder) {
  if (frame < 0 || frame >= timeline.frames) {
    return Error{ErrorCode::INVALID_TIMELINE,
                 "Frame " + std::to_string(frame) + " is outside the timeline, which has " +
                     std::to_string(timeline.frames) + " frames.",
                 ""};
  }
  FW_ASSIGN_OR_RETURN(const auto compositor, createCompositor(timeline.compositor));
  // Opening a hardware decoder takes longer than decoding one frame in software.
  ImageLoader loader(timeline, *compositor, timeline.frames, HardwareDecode::kOff, cancel,
                     StillFileCache(stillsFolder));
  AudioLevels levels(timeline, cancel);
  const DrawList list = drawListAt(timeline, frame, &levels);
  FW_RETURN_IF_ERROR(levels.status());
  loader.prefetch(list);
  std::vector<PreparedImagePtr> images;
  FW_RETURN_IF_ERROR(loader.acquire(list, images));
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                      compositor->createFrame(PixelFormat::kI420, timeline.width, timeline.height));
  FW_RETURN_IF_ERROR(compositor->compose(list, images, *image));
  if (cancel.cancelled()) return cancelledError();
  return toRgba(*image);
}

}  // namespace framewright
