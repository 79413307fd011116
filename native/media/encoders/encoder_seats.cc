#include "media/encoders/encoder_seats.h"

#include <algorithm>
#include <filesystem>

#include "media/handover/cuda_driver.h"

namespace framewright {
namespace {

constexpr int kFirstRenderNode = 128, kLastRenderNode = 191;

std::string pathOf(int node) { return "/dev/dri/renderD" + std::to_string(node); }

std::vector<int> nodesOfHost() {
  std::vector<int> nodes;
  for (int i = kFirstRenderNode; i <= kLastRenderNode; ++i) {
    std::error_code ignored;
    if (std::filesystem::exists(pathOf(i), ignored)) nodes.push_back(i);
  }
  return nodes;
}

}  // namespace

std::vector<EncoderSeat> seatsOf(const EncoderFamily& family, const DeviceIdentity& drawing,
                                 const std::vector<int>& renderNodes, std::optional<int> card) {
  std::vector<EncoderSeat> seats;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) seats.push_back({pathOf(node), std::nullopt});
    std::stable_partition(seats.begin(), seats.end(),
                          [&](const EncoderSeat& seat) { return seat.node == pathOf(drawing.renderNode); });
    return seats;
  }
  if (family.isNvenc && card) seats.push_back({"", card});
  seats.emplace_back();
  return seats;
}

std::vector<EncoderSeat> seatsOf(const EncoderFamily& family, const DeviceIdentity& drawing) {
  std::optional<int> card;
  if (family.isNvenc && drawing.isKnown()) {
    const Result<int> ordinal = cuda::ordinalOf(drawing);
    if (ordinal.ok()) card = ordinal.value();
  }
  const bool onNodes = family.device == AV_HWDEVICE_TYPE_VAAPI;
  return seatsOf(family, drawing, onNodes ? nodesOfHost() : std::vector<int>{}, card);
}

}  // namespace framewright
