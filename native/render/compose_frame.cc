#include <memory>
#include <string>
#include <vector>

#include "compositor/choose_compositor.h"
#include "libav/encode/stills/preview_image.h"
#include "render/kept_stills.h"
#include "render/movie_levels.h"
#include "render/open_films.h"
#include "render/picture_supply.h"
#include "render/render.h"
#include "render/still_shelf.h"
#include "timeline/draw_list.h"

namespace framewright {

void keepMediaBetweenFrames() {
  static const std::shared_ptr<StillShelf> shelf = StillShelf::ofProcess();
  OpenFilms::ofProcess().keep(true);
}

Result<ImagePtr> composeFrame(const Timeline& timeline, int64_t frame, const CancelToken& cancel,
                              const std::string& keptStills) {
  if (frame < 0 || frame >= timeline.frames) {
    return Error{
        ErrorCode::INVALID_TIMELINE,
        "frame " + std::to_string(frame) + " is not within the timeline's " + std::to_string(timeline.frames),
        ""};
  }
  FW_ASSIGN_OR_RETURN(const auto compositor, createCompositor(timeline.compositor));
  // A single picture is decoded before another way would be open.
  PictureSupply supply(timeline, *compositor, timeline.frames, HardwareDecode::kOff, cancel,
                       KeptStills(keptStills));
  MovieLevels levels(timeline, cancel);
  const DrawList list = drawListAt(timeline, frame, &levels);
  FW_RETURN_IF_ERROR(levels.status());
  supply.announce(list);
  std::vector<PreparedImagePtr> pictures;
  FW_RETURN_IF_ERROR(supply.collect(list, pictures));
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> image,
                      compositor->createFrame(PixelFormat::kI420, timeline.width, timeline.height));
  FW_RETURN_IF_ERROR(compositor->compose(list, pictures, *image));
  if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
  return toRgba(*image);
}

}  // namespace framewright
