#include <algorithm>
#include <functional>

#include "timeline/draw_list.h"

namespace framewright {

std::vector<DrawnSize> largestDrawnSizes(const Timeline& timeline) {
  std::vector<DrawnSize> sizes(timeline.sources.size());
  const auto grow = [&](int source, double width, double height) {
    DrawnSize& size = sizes[source];
    size.width = std::max(size.width, width);
    size.height = std::max(size.height, height);
  };
  // `around`: the scale of the groups around the clips.
  const std::function<void(const std::vector<Clip>&, double)> add = [&](const std::vector<Clip>& clips,
                                                                        double around) {
    for (const Clip& clip : clips) {
      const double perspective = clip.effects.perspective ? clip.effects.perspective->scale : 1;
      const double scale = clip.scale.maximum() * around * perspective;
      const double across = clip.piece ? clip.piece->scaleX.maximum() : 1,
                   down = clip.piece ? clip.piece->scaleY.maximum() : 1;
      const double width = clip.box.width * scale * across, height = clip.box.height * scale * down;
      const Rect crop = clip.crop.smallest();
      if (clip.source >= 0) grow(clip.source, width / crop.width, height / crop.height);
      if (clip.effects.mask) {
        const Rect& region = clip.effects.mask->region;
        grow(clip.effects.mask->source, width / region.width, height / region.height);
      }
      add(clip.clips, scale * std::max(across, down));
    }
  };
  add(timeline.under, 1);
  for (const Section& section : timeline.sections) add(section.clips, 1);
  add(timeline.over, 1);
  for (const Section& section : timeline.sections) {
    if (section.transition && section.transition->luma >= 0)
      grow(section.transition->luma, timeline.width, timeline.height);
  }
  return sizes;
}

}  // namespace framewright
