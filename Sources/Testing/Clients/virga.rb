# frozen_string_literal: true

# Gives each test a sandbox of its own on a running Virga server. Copy this file.
#
# VIRGA_ENDPOINT is the URL of the server (default http://127.0.0.1:4566). VIRGA_CONTROL_TOKEN is its control token, if it has one, or
# VIRGA_CONTROL_TOKEN_FILE a file with it.

require "aws-sdk-s3"
require "json"
require "net/http"

module Virga
  # A call of the control API that failed; the message has the answer.
  class Error < StandardError; end

  def self.endpoint
    ENV.fetch("VIRGA_ENDPOINT", "http://127.0.0.1:4566")
  end

  # Returns the control token of the environment, or "".
  def self.control_token
    token = ENV.fetch("VIRGA_CONTROL_TOKEN", "")
    file = ENV.fetch("VIRGA_CONTROL_TOKEN_FILE", "")
    return token if file.empty?
    raise Error, "VIRGA_CONTROL_TOKEN and VIRGA_CONTROL_TOKEN_FILE cannot be combined. Set one of them." unless token.empty?

    File.read(file).sub(/\r?\n\z/, "")
  end

  # Sends a call of the control API and returns its answer.
  def self.call(method, path, body = nil, address: endpoint)
    uri = URI("#{address}/_virga#{path}")
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
    token = control_token
    request["Authorization"] = "Bearer #{token}" unless token.empty?
    request.body = JSON.generate(body) if body
    # Without a proxy: a sandbox is on this machine or in this network.
    response = Net::HTTP.new(uri.host, uri.port, nil).start { |http| http.request(request) }
    raise Error, "#{method} /_virga#{path}: #{response.body}" unless response.is_a?(Net::HTTPSuccess)

    JSON.parse(response.body)
  end

  def self.delete_snapshot(name)
    call("DELETE", "/snapshots/#{name}")
  end

  # A cloud of its own at `url`. The keys are those of the root user.
  class Sandbox
    attr_reader :name, :url, :access_key_id, :secret_access_key

    # Creates a sandbox from "seed" or from a snapshot. With a block, deletes it after the block.
    # The server deletes it after an hour, if nothing else does.
    def self.create(from: "seed")
      box = new(Virga.call("POST", "/sandboxes", { prefix: "ruby", from: from, port: true, expires: "PT1H" }))
      return box unless block_given?

      begin
        yield box
      ensure
        box.delete
      end
    end

    def initialize(answer)
      @name = answer["name"]
      @access_key_id, @secret_access_key = answer.values_at("accessKeyId", "secretAccessKey")
      # Another container reaches the port under the name by which it reaches the server.
      @url = URI(Virga.endpoint).tap { |uri| uri.port = URI(answer["portURL"]).port }.to_s
    end

    # Deletes the sandbox. Snapshots of it remain.
    def delete
      Virga.call("DELETE", "/sandboxes/#{name}")
    end

    # Keeps the present state under the name of the sandbox, and returns this name.
    def snapshot
      Virga.call("POST", "/sandboxes/#{name}/snapshots", { name: name, replace: true })["name"]
    end

    # Puts the state of a snapshot in place of the sandbox's state.
    def restore(snapshot)
      Virga.call("POST", "/sandboxes/#{name}/restore", { snapshot: snapshot })
    end

    # Sends a call of the control API to the sandbox, such as POST /clock, and returns its answer.
    def control(method, path, body = nil)
      Virga.call(method, path, body, address: url)
    end

    # Returns an ID token of a person, as after a login. Fields such as `fault: "expired"` make it a bad one.
    def token(provider, user, **fields)
      control("POST", "/tokens", { provider: provider, user: user, **fields })["token"]
    end

    # Returns the credentials that STS issues for an ID token.
    def assume(role, token)
      sts = Aws::STS::Client.new(**options, credentials: Aws::Credentials.new(access_key_id, secret_access_key))
      issued = sts.assume_role_with_web_identity(role_arn: role, role_session_name: "test", web_identity_token: token).credentials
      Aws::Credentials.new(issued.access_key_id, issued.secret_access_key, issued.session_token)
    end

    # Returns a client of S3, of the root user unless it gets credentials.
    def s3(credentials = Aws::Credentials.new(access_key_id, secret_access_key))
      Aws::S3::Client.new(**options, credentials: credentials, force_path_style: true)
    end

    # Returns the variables for a child process that uses an SDK.
    def env
      { "AWS_ENDPOINT_URL" => url, "AWS_REGION" => "us-east-1", "AWS_DEFAULT_REGION" => "us-east-1",
        "AWS_ACCESS_KEY_ID" => access_key_id, "AWS_SECRET_ACCESS_KEY" => secret_access_key }
    end

    private

    # A test sees each error, so nothing is retried.
    def options
      { endpoint: url, region: "us-east-1", retry_limit: 0 }
    end
  end
end
