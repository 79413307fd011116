#include "compositor/vulkan/transition_layers.h"

#include <algorithm>

#include "compositor/cpu/crossing.h"

namespace framewright::gpu {
namespace {

using L = const TransitionLayers&;

// As cpu/transition_color.cc has it.
constexpr double kHold = 0.2;

void layFrom(L l) { l.lay(Side::kFrom, l.whole(), kBothGroups); }

void fade(L l) {
  layFrom(l);
  l.lay(Side::kTo, l.whole(l.progress), kBothGroups);
}

void fadeThrough(L l, const Color& color, Groups groups) {
  const double left = 1 - l.progress;
  const double from = left * smoothStep(1 - kHold, 1, left),
               to = l.progress * (1 - smoothStep(kHold, 1, left));
  const double both = from + to;
  l.lay(Side::kFrom, l.whole(), groups);
  l.lay(Side::kTo, l.whole(both > 0 ? to / both : 0), groups);
  l.fill(color, 1 - both, groups);
}

void fadeThroughGrays(L l) {
  l.lay(Side::kFrom, l.whole(), kLumaGroup);
  l.lay(Side::kTo, l.whole(l.progress), kLumaGroup);
  fadeThrough(l, {0, 0, 0, 255}, kChromaGroup);
}

Placement entering(L l, int x, int y) {
  return l.at(x * (l.progress - 1) * l.width, y * (l.progress - 1) * l.height);
}
Placement leaving(L l, int x, int y) { return l.at(x * l.progress * l.width, y * l.progress * l.height); }

template <int kX, int kY>
void wipe(L l) {
  layFrom(l);
  const Affine place = entering(l, kX, kY).toSurface;
  Placement to = l.whole();
  to.window = intersection({place.dx, place.dy, l.width, l.height}, to.window);
  l.lay(Side::kTo, to, kBothGroups);
}

template <int kX, int kY>
void slide(L l) {
  // Endless: the border between two touching pictures is not thinned out.
  Placement from = leaving(l, kX, kY);
  from.endless = true;
  l.lay(Side::kFrom, from, kBothGroups);
  l.lay(Side::kTo, entering(l, kX, kY), kBothGroups);
}

template <int kX, int kY>
void cover(L l) {
  layFrom(l);
  l.lay(Side::kTo, entering(l, kX, kY), kBothGroups);
}

template <int kX, int kY>
void reveal(L l) {
  l.lay(Side::kTo, l.whole(), kBothGroups);
  l.lay(Side::kFrom, leaving(l, kX, kY), kBothGroups);
}

void zoomIn(L l) {
  const double left = 1 - l.progress;
  const double seen = std::max(smoothStep(0.5, 1, left), 0.5 / std::max(l.width, l.height));
  Placement from = l.whole();
  from.toSurface = {
      l.width / seen, 0, l.width / 2 * (1 - 1 / seen), 0, l.height / seen, l.height / 2 * (1 - 1 / seen)};
  l.lay(Side::kFrom, from, kBothGroups);
  const double fading = 1 - smoothStep(0, 0.5, left);
  if (fading > 0) l.lay(Side::kTo, l.whole(fading), kBothGroups);
}

constexpr LayeredTransition kStyles[] = {
    {"fade", fade},
    {"fadeblack",
     [](L l) {
       fadeThrough(l, {0, 0, 0, 255}, kBothGroups);
     }},
    {"fadewhite",
     [](L l) {
       fadeThrough(l, {255, 255, 255, 255}, kBothGroups);
     }},
    {"fadegrays", fadeThroughGrays},
    {"wipeleft", wipe<-1, 0>},
    {"wiperight", wipe<1, 0>},
    {"wipeup", wipe<0, -1>},
    {"wipedown", wipe<0, 1>},
    {"slideleft", slide<-1, 0>},
    {"slideright", slide<1, 0>},
    {"slideup", slide<0, -1>},
    {"slidedown", slide<0, 1>},
    {"coverleft", cover<-1, 0>},
    {"coverright", cover<1, 0>},
    {"coverup", cover<0, -1>},
    {"coverdown", cover<0, 1>},
    {"revealleft", reveal<-1, 0>},
    {"revealright", reveal<1, 0>},
    {"revealup", reveal<0, -1>},
    {"revealdown", reveal<0, 1>},
    {"zoomin", zoomIn},
};

}  // namespace

Placement TransitionLayers::whole(double opacity) const {
  return {scaling(width, height), {0, 0, width, height}, opacity};
}

Placement TransitionLayers::at(double x, double y) const {
  return {{width, 0, x, 0, height, y}, {0, 0, width, height}, 1};
}

const LayeredTransition* findLayeredTransition(std::string_view name) {
  const auto found = std::find_if(std::begin(kStyles), std::end(kStyles),
                                  [name](const LayeredTransition& style) { return style.name == name; });
  return found == std::end(kStyles) ? nullptr : found;
}

}  // namespace framewright::gpu
