#include "compositor/cpu/transition.h"

#include "compositor/cpu/transition_blocks.h"
#include "compositor/cpu/transition_color.h"
#include "compositor/cpu/transition_mask.h"
#include "compositor/cpu/transition_motion.h"

namespace framewright {
namespace {

// Short, for the table.
using C = const Crossing&;
using Inputs = CrossingInputs;

constexpr Inputs kOver = Inputs::kFromInFrame, kUnder = Inputs::kToInFrame, kApart = Inputs::kApart,
                 kHalf = Inputs::kHalfInFrame;

constexpr TransitionStyle kStyles[] = {
    // Colours: transition_color.
    {"fade", kOver, fade},
    {"fadeblack", kOver,
     [](C c) {
       fadeThrough(c, {0, 0, 0, 255});
     }},
    {"fadewhite", kOver,
     [](C c) {
       fadeThrough(c, {255, 255, 255, 255});
     }},
    {"fadegrays", kOver, fadeThroughGrays},
    {"fadefast", kOver, [](C c) { fadeByDifference(c, FadeOrder::kFast); }},
    {"fadeslow", kOver, [](C c) { fadeByDifference(c, FadeOrder::kSlow); }},
    {"distance", kOver, fadeByDistance},
    // Movement: transition_motion.
    {"wipeleft", kOver,
     [](C c) {
       wipe(c, {-1, 0});
     }},
    {"wiperight", kOver,
     [](C c) {
       wipe(c, {1, 0});
     }},
    {"wipeup", kOver,
     [](C c) {
       wipe(c, {0, -1});
     }},
    {"wipedown", kOver,
     [](C c) {
       wipe(c, {0, 1});
     }},
    {"slideleft", kApart,
     [](C c) {
       slide(c, {-1, 0});
     }},
    {"slideright", kApart,
     [](C c) {
       slide(c, {1, 0});
     }},
    {"slideup", kApart,
     [](C c) {
       slide(c, {0, -1});
     }},
    {"slidedown", kApart,
     [](C c) {
       slide(c, {0, 1});
     }},
    {"coverleft", kOver,
     [](C c) {
       cover(c, {-1, 0});
     }},
    {"coverright", kOver,
     [](C c) {
       cover(c, {1, 0});
     }},
    {"coverup", kOver,
     [](C c) {
       cover(c, {0, -1});
     }},
    {"coverdown", kOver,
     [](C c) {
       cover(c, {0, 1});
     }},
    {"revealleft", kUnder,
     [](C c) {
       reveal(c, {-1, 0});
     }},
    {"revealright", kUnder,
     [](C c) {
       reveal(c, {1, 0});
     }},
    {"revealup", kUnder,
     [](C c) {
       reveal(c, {0, -1});
     }},
    {"revealdown", kUnder,
     [](C c) {
       reveal(c, {0, 1});
     }},
    {"squeezeh", kUnder, [](C c) { squeeze(c, Axis::kY); }},
    {"squeezev", kUnder, [](C c) { squeeze(c, Axis::kX); }},
    {"zoomin", kApart, zoomIn},
    // Masks: transition_mask.
    {"wipetl", kOver,
     [](C c) {
       wipeCorner(c, {-1, -1});
     }},
    {"wipetr", kOver,
     [](C c) {
       wipeCorner(c, {1, -1});
     }},
    {"wipebl", kOver,
     [](C c) {
       wipeCorner(c, {-1, 1});
     }},
    {"wipebr", kOver,
     [](C c) {
       wipeCorner(c, {1, 1});
     }},
    {"smoothleft", kOver, [](C c) { wipeSmoothly(c, Axis::kX, -1); }},
    {"smoothright", kOver, [](C c) { wipeSmoothly(c, Axis::kX, 1); }},
    {"smoothup", kOver, [](C c) { wipeSmoothly(c, Axis::kY, -1); }},
    {"smoothdown", kOver, [](C c) { wipeSmoothly(c, Axis::kY, 1); }},
    {"vertopen", kOver, [](C c) { moveDoors(c, Axis::kX, Doors::kOpen); }},
    {"vertclose", kOver, [](C c) { moveDoors(c, Axis::kX, Doors::kClose); }},
    {"horzopen", kOver, [](C c) { moveDoors(c, Axis::kY, Doors::kOpen); }},
    {"horzclose", kOver, [](C c) { moveDoors(c, Axis::kY, Doors::kClose); }},
    {"hlslice", kOver, [](C c) { turnSlices(c, Axis::kX, -1); }},
    {"hrslice", kOver, [](C c) { turnSlices(c, Axis::kX, 1); }},
    {"vuslice", kOver, [](C c) { turnSlices(c, Axis::kY, -1); }},
    {"vdslice", kOver, [](C c) { turnSlices(c, Axis::kY, 1); }},
    {"circleopen", kOver, [](C c) { moveIris(c, Doors::kOpen); }},
    {"circleclose", kOver, [](C c) { moveIris(c, Doors::kClose); }},
    {"circlecrop", kHalf, cropCircle},
    {"rectcrop", kHalf, cropRect},
    {"radial", kOver, sweep},
    {"diagtl", kOver,
     [](C c) {
       wipeDiagonally(c, {-1, -1});
     }},
    {"diagtr", kOver,
     [](C c) {
       wipeDiagonally(c, {1, -1});
     }},
    {"diagbl", kOver,
     [](C c) {
       wipeDiagonally(c, {-1, 1});
     }},
    {"diagbr", kOver,
     [](C c) {
       wipeDiagonally(c, {1, 1});
     }},
    {"hlwind", kOver,
     [](C c) {
       blow(c, {-1, 0});
     }},
    {"hrwind", kOver,
     [](C c) {
       blow(c, {1, 0});
     }},
    {"vuwind", kOver,
     [](C c) {
       blow(c, {0, -1});
     }},
    {"vdwind", kOver,
     [](C c) {
       blow(c, {0, 1});
     }},
    {"dissolve", kOver, dissolve},
    // Blocks and blur: transition_blocks.
    {"pixelize", kOver, pixelize},
    {"hblur", kOver, blurAcross},
};

}  // namespace

const TransitionStyle* findTransition(std::string_view name) {
  for (const TransitionStyle& style : kStyles) {
    if (style.name == name) return &style;
  }
  return nullptr;
}

std::string transitionNames() {
  std::string names;
  for (const TransitionStyle& style : kStyles) {
    if (!names.empty()) names += ", ";
    names += style.name;
  }
  return names;
}

}  // namespace framewright
