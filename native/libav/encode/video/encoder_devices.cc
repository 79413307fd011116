#include "libav/encode/video/encoder_devices.h"

#include <algorithm>

#include "libav/hardware/hardware_device.h"
#include "libav/hardware/interop/cuda_driver.h"

namespace framewright {

std::vector<EncoderSeat> seatsOf(const EncoderFamily& family, const DeviceIdentity& drawing,
                                 const std::vector<int>& renderNodes, std::optional<int> card) {
  std::vector<EncoderSeat> seats;
  if (family.device == AV_HWDEVICE_TYPE_VAAPI) {
    for (const int node : renderNodes) seats.push_back({renderNodePath(node), std::nullopt});
    std::stable_partition(seats.begin(), seats.end(), [&](const EncoderSeat& seat) {
      return seat.node == renderNodePath(drawing.renderNode);
    });
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
  return seatsOf(family, drawing, onNodes ? renderNodes() : std::vector<int>{}, card);
}

}  // namespace framewright
