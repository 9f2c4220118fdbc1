# One request of a browser at a service provider made with ruby-saml. The argument is a file with the order; the outcome is written as JSON.

require "json"
require "logger"
require "onelogin/ruby-saml"

# The library logs to standard output otherwise.
OneLogin::RubySaml::Logging.logger = Logger.new($stderr)
order = JSON.parse(File.read(ARGV[0]))
settings = OneLogin::RubySaml::IdpMetadataParser.new.parse(order["metadata"])
settings.soft = true
settings.sp_entity_id = order["entity"]
settings.assertion_consumer_service_url = order["acs"]
settings.single_logout_service_url = order["slo"]
settings.name_identifier_format = order["name_id_format"]
settings.certificate = order["certificate"]
settings.private_key = order["key"]
settings.force_authn = order["force"]
settings.passive = order["passive"]
settings.security = settings.security.merge(
  authn_requests_signed: true, logout_requests_signed: true, logout_responses_signed: true, want_assertions_signed: true,
  want_assertions_encrypted: order.fetch("encrypted", false), want_name_id: true,
  digest_method: XMLSecurity::Document::SHA256, signature_method: XMLSecurity::Document::RSA_SHA256)

outcome =
  case order["action"]
  when "metadata"
    { metadata: OneLogin::RubySaml::Metadata.new.generate(settings, false) }
  when "login"
    request = OneLogin::RubySaml::Authrequest.new
    { url: request.create(settings, RelayState: order["relay_state"]), id: request.request_id }
  when "response"
    response = OneLogin::RubySaml::Response.new(order["response"], settings: settings, matches_request_id: order["id"])
    { valid: response.is_valid?(true), errors: response.errors, name: response.name_id, session: response.sessionindex,
      attributes: response.attributes.all.to_h, encrypted: response.assertion_encrypted? }
  when "logout"
    settings.name_identifier_value = order["name"]
    settings.sessionindex = order["session"]
    request = OneLogin::RubySaml::Logoutrequest.new
    { url: request.create(settings), id: request.request_id }
  when "logged-out"
    response = OneLogin::RubySaml::Logoutresponse.new(
      order["parameters"]["SAMLResponse"], settings, matches_request_id: order["id"], get_params: order["parameters"])
    { valid: response.validate(true), errors: response.errors, success: response.success? }
  end
puts JSON.generate(outcome)
