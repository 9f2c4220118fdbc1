# frozen_string_literal: true

# Tests of an application that keeps each person's notes in a folder of a bucket. They run in parallel against one server:
# each thread has a sandbox, which it restores before each test.

require "minitest/autorun"
require_relative "virga"

class NotesTest < Minitest::Test
  parallelize_me!

  BUCKET = "personal-files"
  ROLE = "arn:aws:iam::000000000000:role/personal-files-company"
  ALICE = "employee-0001-alice/"
  BOB = "employee-0002-bob/"

  # The snapshot in which each test begins.
  PREPARED = Virga::Sandbox.create do |box|
    box.s3.put_object(bucket: BUCKET, key: "#{ALICE}welcome", body: "Write your first note.")
    box.snapshot
  end
  # The sandboxes of the threads.
  BOXES = Queue.new
  Minitest.after_run do
    BOXES.pop.delete until BOXES.empty?
    Virga.delete_snapshot(PREPARED)
  end

  attr_reader :box

  def setup
    @box = BOXES.pop(true)
    @box.restore(PREPARED)
  rescue ThreadError
    @box = Virga::Sandbox.create(from: PREPARED)
  end

  def teardown
    BOXES << box
  end

  # Returns the S3 client of a person, who exchanges an ID token for credentials of the role.
  def login(person, box = self.box, **fields)
    box.s3(box.assume(ROLE, box.token("company", person, **fields)))
  end

  def get(client, key)
    client.get_object(bucket: BUCKET, key: key).body.read
  end

  def notes
    box.s3.list_objects_v2(bucket: BUCKET, prefix: ALICE).contents.map { |object| object.key.delete_prefix(ALICE) }
  end

  def test_a_note_comes_back
    client = login("alice")
    client.put_object(bucket: BUCKET, key: "#{ALICE}note", body: "hello")
    assert_equal "hello", get(client, "#{ALICE}note")
  end

  def test_the_note_of_another_person_is_refused
    client = login("alice")
    assert_raises(Aws::S3::Errors::AccessDenied) { get(client, "#{BOB}note") }
    assert_raises(Aws::S3::Errors::AccessDenied) { client.put_object(bucket: BUCKET, key: "#{BOB}note", body: "") }
  end

  12.times do |number|
    define_method("test_each_test_begins_in_the_prepared_state_#{number}") do
      assert_equal %w[hello.txt welcome], notes
      client = login("alice")
      client.put_object(bucket: BUCKET, key: "#{ALICE}same", body: number.to_s)
      assert_equal number.to_s, get(client, "#{ALICE}same")
    end
  end

  def test_a_restore_undoes_everything
    client = login("alice")
    client.put_object(bucket: BUCKET, key: "#{ALICE}note", body: "hello")
    box.restore(PREPARED)
    assert_equal %w[hello.txt welcome], notes
    # What was issued before the restore is unknown after it.
    assert_raises(Aws::S3::Errors::InvalidToken) { get(client, "#{ALICE}welcome") }
  end

  def test_each_sandbox_has_its_own_clock
    Virga::Sandbox.create(from: PREPARED) do |other|
      aged = login("alice")
      fresh = login("alice", other)
      box.control("POST", "/clock", { age: "PT1H5M" })
      assert_raises(Aws::S3::Errors::ExpiredToken) { get(aged, "#{ALICE}welcome") }
      assert_equal "Write your first note.", get(fresh, "#{ALICE}welcome")
    end
  end

  def test_a_bad_token_is_refused
    assert_raises(Aws::STS::Errors::InvalidIdentityToken) { login("alice", fault: "wrongAudience") }
  end

  def test_another_process_uses_the_sandbox
    program = 'require "aws-sdk-s3"; Aws::S3::Client.new(endpoint: ENV["AWS_ENDPOINT_URL"], force_path_style: true)' \
              ".put_object(bucket: ARGV[0], key: ARGV[1], body: '')"
    assert system(box.env, Gem.ruby, "-e", program, BUCKET, "#{ALICE}child")
    assert_includes notes, "child"
  end
end
