#include "compositor/plan/group_layers.h"

namespace framewright {
namespace {

Layer moved(Layer layer, const Affine& by) {
  if (layer.window) {
    layer.window->x += by.dx;
    layer.window->y += by.dy;
  }
  if (layer.effects && layer.effects->projection) {
    // Everything before the projection is not on the canvas.
    layer.effects->projection = homography(by) * *layer.effects->projection;
    return layer;
  }
  layer.toCanvas = by * layer.toCanvas;
  for (Layer& member : layer.group) member = moved(std::move(member), by);
  if (!layer.effects) return layer;
  LayerEffects& effects = *layer.effects;
  for (Affine* const map : {&effects.box, &effects.maskBox, &effects.vignetteBox}) *map = by * *map;
  if (effects.cut) effects.cut = by * *effects.cut;
  for (Affine& copy : effects.motion) copy = by * copy * inverse(by);
  return layer;
}

}  // namespace

std::vector<Layer> layersOnSurface(const std::vector<Layer>& group, double left, double top) {
  std::vector<Layer> layers;
  layers.reserve(group.size());
  for (const Layer& layer : group) layers.push_back(moved(layer, translation(-left, -top)));
  return layers;
}

}  // namespace framewright
