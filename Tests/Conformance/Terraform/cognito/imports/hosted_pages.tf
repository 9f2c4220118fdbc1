import {
  to = aws_cognito_user_pool_domain.people
  id = "lighthouse-people"
}

import {
  to = aws_cognito_resource_server.lamps
  id = "${aws_cognito_user_pool.people.id}|https://lamps.lighthouse.example"
}
