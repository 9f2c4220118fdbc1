import {
  to = aws_cognito_user_pool.plain
  id = aws_cognito_user_pool.plain.id
}

import {
  to = aws_cognito_user_pool_client.web
  id = "${aws_cognito_user_pool.people.id}/${aws_cognito_user_pool_client.web.id}"
}

import {
  to = aws_cognito_user_group.keepers
  id = "${aws_cognito_user_pool.people.id}/keepers"
}

import {
  to = aws_cognito_identity_pool.photos
  id = aws_cognito_identity_pool.photos.id
}

import {
  to = aws_cognito_identity_pool.plain
  id = aws_cognito_identity_pool.plain.id
}

import {
  to = aws_cognito_identity_pool_roles_attachment.photos
  id = aws_cognito_identity_pool.photos.id
}

import {
  to = aws_cognito_identity_pool_provider_principal_tag.people
  id = "${aws_cognito_identity_pool.photos.id}:${aws_cognito_user_pool.people.endpoint}"
}
