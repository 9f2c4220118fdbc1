# One request of a browser at a Rails-like application with OmniAuth's strategy for OpenID Connect. The argument is a file with the order; the
# response is written as JSON. The session is in a cookie, so that each request can have a process of its own.

require "json"
require "logger"
require "omniauth"
require "omniauth_openid_connect"
require "rack"

# The library expects issuers with https otherwise.
SWD.url_builder = URI::HTTP
OmniAuth.config.logger = Logger.new($stderr)
OmniAuth.config.request_validation_phase = nil
order = JSON.parse(File.read(ARGV[0]))
issuer = URI(order["issuer"])
options = {
  name: :company, issuer: order["issuer"], discovery: true, scope: %i[openid profile email], uid_field: "sub", callback_path: "/callback",
  client_options: {
    scheme: issuer.scheme, host: issuer.host, port: issuer.port, identifier: order["client"], secret: order["secret"],
    redirect_uri: order["redirect"]
  }
}
order["options"].each { |name, value| options[name.to_sym] = value.is_a?(String) ? value.to_sym : value }

application = Rack::Builder.new do
  use Rack::Session::Cookie, secret: "secret-of-the-session-of-the-application-in-the-tests-of-omniauth"
  use(OmniAuth::Builder) { provider :openid_connect, options }
  run(lambda do |environment|
    auth = environment["omniauth.auth"]
    user = auth && { uid: auth.uid, info: auth.info, claims: auth.extra.raw_info, token: auth.credentials&.token }
    [200, { "content-type" => "application/json" }, [JSON.generate(user)]]
  end)
end
request = { params: order["form"], "HTTP_COOKIE" => order["cookie"] }
answer = Rack::MockRequest.new(application).request(order["method"], order["url"], request)
puts JSON.generate(status: answer.status, location: answer["location"], cookie: Array(answer["set-cookie"]).first.to_s[/[^;]*/], body: answer.body)
