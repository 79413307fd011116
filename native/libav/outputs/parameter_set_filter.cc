#include "libav/outputs/parameter_set_filter.h"

#include "libav/outputs/encoder_error.h"

namespace framewright {

Result<ParameterSetFilter> ParameterSetFilter::create(const AVCodecParameters& stream) {
  AVBSFContext* context = nullptr;
  int status = av_bsf_alloc(av_bsf_get_by_name("filter_units"), &context);
  PacketFilterPtr filter(context);
  if (status >= 0) status = avcodec_parameters_copy(context->par_in, &stream);
  if (status >= 0) status = av_opt_set(context->priv_data, "remove_types", "32-34", 0);
  if (status >= 0) status = av_bsf_init(context);
  if (status < 0) return encoderUnavailable("filter_units (packet filter)", status);
  return ParameterSetFilter(std::move(filter));
}

int ParameterSetFilter::filter(AVPacket& packet) {
  const int status = av_bsf_send_packet(filter_.get(), &packet);
  return status < 0 ? status : av_bsf_receive_packet(filter_.get(), &packet);
}

}  // namespace framewright
